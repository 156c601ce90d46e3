// SPDX-License-Identifier: Apache-2.0
// Files to and from a real sshd, cut, damaged, changed and without room. UNMASK_CUT_FILE_MB makes the file that is cut
// larger: the slow test has 2 GB.
#include "ui/remote/sftp_transfer.h"

#include <sys/stat.h>

#include <random>

#include "tests/ui/remote/cutting_proxy.h"
#include "tests/ui/remote/remote_fixture.h"
#include "ui/remote/sftp_client.h"
#include "ui/remote/sftp_download.h"
#include "ui/remote/sftp_read_ahead.h"
#include "ui/remote/sftp_upload.h"
#include "ui/remote/transfer_work.h"
#include "ui/settings/path_text.h"

#ifndef UNMASK_CUT_FILE_MB
#define UNMASK_CUT_FILE_MB 48
#endif

namespace unmask::ui {
namespace {

using test::CuttingProxy;
using test::readBytes;
using test::waitFor;
using test::writeBytes;

class SftpTransferTest : public test::RemoteTest {
 protected:
    std::filesystem::path makeFile(const char* name, size_t bytes, unsigned seed = 1) {
        std::mt19937_64 random(seed);
        std::string content(bytes, 0);
        for (size_t i = 0; i + 8 <= bytes; i += 8) {
            const uint64_t value = random();
            std::memcpy(content.data() + i, &value, 8);
        }
        writeBytes(m_sshd.path(name), content);
        return m_sshd.path(name);
    }
    QString there(const char* name) const { return fromPath(m_sshd.path("home") / name); }
    TransferReport move(const TransferJob& job) { return move(link(), job); }
    static TransferReport move(std::shared_ptr<SshThread> link, const TransferJob& job) {
        SftpTransfer transfer(std::move(link), job);
        return reportOf(transfer);
    }
    static TransferReport reportOf(SftpTransfer& transfer) {
        TransferReport report;
        bool done = false;
        QObject::connect(&transfer, &SftpTransfer::finished, &transfer, [&](const TransferReport& got) {
            report = got;
            done = true;
        });
        EXPECT_TRUE(waitFor([&] { return done; }, 600000));
        return report;
    }
    // The names in the home folder there, so that no part is left behind.
    std::vector<std::string> names() {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(m_sshd.path("home")))
            found.push_back(entry.path().filename().string());
        return found;
    }
    SshRoute routeThrough(const CuttingProxy& proxy) {
        SshRoute route = m_sshd.route();
        route.hops[0].port = proxy.port;
        return route;
    }
};

TEST_F(SftpTransferTest, AFileGoesUpAndComesDownWhole) {
    const auto local = makeFile("源 file's", 5'000'003);
    const TransferJob up{TransferWay::upload, local, there("neu/文件 $(x)/it's"), 0640, {}};
    TransferReport report = move(up);
    ASSERT_TRUE(report.good()) << report.sentence.toStdString();
    EXPECT_TRUE(report.verified);
    EXPECT_FALSE(report.wasThere);
    EXPECT_EQ(report.sha256, sha256OfFile(local));
    struct stat status {};
    ASSERT_EQ(::stat(toPath(up.remote).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0640u);
    report = move(up);
    EXPECT_TRUE(report.good() && report.wasThere) << report.sentence.toStdString();
    const auto back = m_sshd.path("back") / "file";
    report = move({TransferWay::download, back, up.remote, 0, {}});
    ASSERT_TRUE(report.good()) << report.sentence.toStdString();
    EXPECT_TRUE(report.verified);
    EXPECT_EQ(readBytes(back), readBytes(local));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(back.parent_path()), {}), 1);
}

TEST_F(SftpTransferTest, AnEmptyFileIsAFileToo) {
    const auto local = makeFile("empty", 0);
    EXPECT_TRUE(move({TransferWay::upload, local, there("empty"), 0600, {}}).good());
    EXPECT_TRUE(move({TransferWay::download, m_sshd.path("empty2"), there("empty"), 0, {}}).good());
    EXPECT_EQ(std::filesystem::file_size(m_sshd.path("empty2")), 0u);
}

TEST_F(SftpTransferTest, AnOlderFileIsReplacedAtOnce) {
    openSession();
    writeBytes(m_sshd.path("home") / "target", "old");
    const auto local = makeFile("new", 100'000);
    EXPECT_TRUE(move({TransferWay::upload, local, there("target"), 0600, {}}).good());
    EXPECT_EQ(readBytes(m_sshd.path("home") / "target"), readBytes(local));
}

TEST_F(SftpTransferTest, CutTenTimesItArrivesWholeBothWays) {
    const auto local = makeFile("large", size_t{UNMASK_CUT_FILE_MB} << 20);
    const auto bytes = static_cast<qint64>(std::filesystem::file_size(local));
    link();
    CuttingProxy proxy(m_sshd.port);
    ASSERT_TRUE(proxy.good());
    m_session = makeSession(routeThrough(proxy));
    std::mt19937 random(3);
    for (const TransferWay way : {TransferWay::upload, TransferWay::download}) {
        const TransferJob job{way, way == TransferWay::upload ? local : m_sshd.path("down"), there("large"), 0600, {}};
        qint64 lastFrom = 0;
        int cuts = 0;
        TransferReport report;
        for (int attempt = 0; attempt < 12; ++attempt) {
            const bool cutting = attempt < 10;
            proxy.cutAfter(cutting ? bytes / 12 + static_cast<qint64>(random() % 5000) : -1);
            report = move(m_session->link(), job);
            cuts += report.fault == TransferFault::linkDown ? 1 : 0;
            if (report.good())
                break;
            ASSERT_EQ(report.fault, TransferFault::linkDown) << report.sentence.toStdString();
            EXPECT_GE(report.resumedFrom, lastFrom) << "what has arrived is not sent again";
            lastFrom = report.resumedFrom;
            proxy.cutAfter(-1);
            m_session = makeSession(routeThrough(proxy));
        }
        ASSERT_TRUE(report.good()) << report.sentence.toStdString();
        EXPECT_EQ(cuts, 10);
        EXPECT_GT(report.resumedFrom, 0);
        EXPECT_TRUE(report.verified);
    }
    EXPECT_EQ(sha256OfFile(m_sshd.path("down")), sha256OfFile(local));
    EXPECT_EQ(names().size(), 1u);
}

TEST_F(SftpTransferTest, ADamagedBeginningIsFoundAndSentAgain) {
    const auto local = makeFile("file", 10 << 20);
    openSession();
    const std::string hash = sha256OfFile(local);
    std::string part = readBytes(local).substr(0, 9 << 20);
    part[1000] = static_cast<char>(part[1000] + 1);
    writeBytes(m_sshd.path("home") / ("f.part-" + hash.substr(0, 16)), part);
    const TransferReport report = move({TransferWay::upload, local, there("f"), 0600, {}});
    EXPECT_TRUE(report.good()) << report.sentence.toStdString();
    EXPECT_EQ(report.resumedFrom, 0);
    EXPECT_EQ(sha256OfFile(m_sshd.path("home") / "f"), hash);
    const TransferReport down = move({TransferWay::download, m_sshd.path("d"), there("f"), 0, std::string(64, '0')});
    EXPECT_EQ(down.fault, TransferFault::damaged);
    EXPECT_FALSE(std::filesystem::exists(m_sshd.path("d")));
}

TEST_F(SftpTransferTest, WithoutAShellItIsReadBack) {
    m_sshd.setShell("internal-sftp");
    const auto local = makeFile("file", 6 << 20);
    const TransferReport report = move({TransferWay::upload, local, there("f"), 0600, {}});
    EXPECT_TRUE(report.good()) << report.sentence.toStdString();
    EXPECT_TRUE(report.verified);
    const TransferReport down = move({TransferWay::download, m_sshd.path("d"), there("f"), 0, {}});
    EXPECT_TRUE(down.good()) << down.sentence.toStdString();
    EXPECT_FALSE(down.verified) << "nobody there could say what it should be";
}

TEST_F(SftpTransferTest, WhatCannotBeIsSaidInWords) {
    const auto local = makeFile("file", 1000);
    EXPECT_EQ(move({TransferWay::download, m_sshd.path("d"), there("none"), 0, {}}).fault, TransferFault::remoteFile);
    EXPECT_EQ(move({TransferWay::download, m_sshd.path("d"), QStringLiteral("/"), 0, {}}).fault,
              TransferFault::remoteFile);
    EXPECT_EQ(move({TransferWay::upload, local, QStringLiteral("relative"), 0600, {}}).fault,
              TransferFault::remoteFile);
    EXPECT_EQ(move({TransferWay::upload, local, QStringLiteral("/proc/nothing/x"), 0600, {}}).fault,
              TransferFault::remoteFile);
    EXPECT_EQ(move({TransferWay::upload, m_sshd.path("no such"), there("x"), 0600, {}}).fault,
              TransferFault::localFile);
    EXPECT_EQ(move({TransferWay::download, "/proc/nothing/x", there("x"), 0, {}}).fault, TransferFault::localFile);
    m_session.reset();
    m_sshd.stop();
    m_sshd.more = "Subsystem sftp /bin/echo Welcome to this fine machine\n";
    m_sshd.hasSftp = false;
    m_started = false;
    const TransferReport noise = move({TransferWay::upload, local, there("x"), 0600, {}});
    EXPECT_EQ(noise.fault, TransferFault::linkDown);
    EXPECT_TRUE(noise.sentence.contains(QStringLiteral(".bashrc"))) << noise.sentence.toStdString();
}

TEST_F(SftpTransferTest, AFullDiskIsFoundBeforeAndDuring) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "a small file system needs root";
    openSession();
    const auto mount = m_sshd.path("home") / "small";
    std::filesystem::create_directories(mount);
    const std::string command = "mount -t tmpfs -o size=24m tmpfs '" + mount.string() + "' 2>/dev/null";
    if (std::system(command.c_str()) != 0)
        GTEST_SKIP() << "a small file system cannot be mounted here";
    const TransferReport before = move({TransferWay::upload, makeFile("a", 30 << 20), there("small/a"), 0600, {}});
    EXPECT_EQ(before.fault, TransferFault::remoteFull);
    EXPECT_TRUE(before.sentence.contains(QStringLiteral("24 MB"))) << before.sentence.toStdString();
    const auto local = makeFile("b", 7 << 20);
    SftpTransfer transfer(m_session->link(), {TransferWay::upload, local, there("small/b"), 0600, {}});
    bool filled = false;
    QObject::connect(&transfer, &SftpTransfer::progressed, &transfer, [&] { filled = true; });
    EXPECT_TRUE(reportOf(transfer).good()) << "it just fits";
    EXPECT_TRUE(filled);
    ASSERT_EQ(std::system(("umount '" + mount.string() + "'").c_str()), 0);
}

TEST_F(SftpTransferTest, ACancelledTransferEndsAtOnceAndGoesOnLater) {
    const auto local = makeFile("file", 32 << 20);
    link();
    CuttingProxy proxy(m_sshd.port);
    m_session = makeSession(routeThrough(proxy));
    proxy.setRate(8 << 20);
    const TransferJob job{TransferWay::upload, local, there("f"), 0600, {}};
    {
        SftpTransfer transfer(m_session->link(), job);
        QObject::connect(&transfer, &SftpTransfer::progressed, &transfer, [&](qint64 done, qint64) {
            if (done > 12 << 20)
                transfer.cancel();
        });
        EXPECT_EQ(reportOf(transfer).fault, TransferFault::cancelled);
    }
    proxy.setStalled(true);
    {
        SftpTransfer transfer(m_session->link(), job);
        QTimer::singleShot(500, &transfer, &SftpTransfer::cancel);
        EXPECT_EQ(reportOf(transfer).fault, TransferFault::cancelled) << "a stalled one too";
    }
    proxy.setStalled(false);
    proxy.setRate(0);
    const TransferReport report = move(m_session->link(), job);
    EXPECT_TRUE(report.good()) << report.sentence.toStdString();
    EXPECT_GT(report.resumedFrom, 4 << 20);
}

}  // namespace
}  // namespace unmask::ui
