// SPDX-License-Identifier: Apache-2.0
// Our transfer against scp over the same sshd on loopback, alternating: `ui_remote_sftp_bench [MB] [rounds]`.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <cstdio>

#include "tests/ui/remote/local_sshd.h"
#include "tests/ui/support/wait_for.h"
#include "ui/remote/sftp_transfer.h"
#include "ui/settings/path_text.h"

namespace {

using namespace unmask;
using namespace unmask::ui;

std::unique_ptr<SshSession> openSession(const test::LocalSshd& sshd) {
    auto session = std::make_unique<SshSession>(sshd.route(), sshd.places, std::make_shared<SecretStore>());
    SshSession* raw = session.get();
    QObject::connect(raw, &SshSession::questionAsked, raw, [raw](const SshQuestion& question) {
        auto answer = std::make_shared<SshAnswer>();
        answer->accepted = true;
        raw->answer(question.id, answer);
    });
    session->open();
    test::waitFor([&] { return session->isOpen(); });
    return session;
}

struct Times {
    double seconds = 0;
    double moving = 0;  // without hashing before and comparing afterwards
};

Times ours(const std::shared_ptr<SshThread>& link, const TransferJob& job) {
    QElapsedTimer clock;
    clock.start();
    SftpTransfer transfer(link, job);
    Times times;
    double first = -1;
    qint64 firstDone = 0;
    double rest = 0;
    bool done = false;
    QObject::connect(&transfer, &SftpTransfer::progressed, &transfer, [&](qint64 bytes, qint64 total) {
        const double now = static_cast<double>(clock.elapsed()) / 1000;
        if (first < 0) {
            first = now;
            firstDone = bytes;
        }
        if (bytes == total)
            rest = (now - first) * static_cast<double>(total) /
                   static_cast<double>(std::max<qint64>(1, total - firstDone));
    });
    QObject::connect(&transfer, &SftpTransfer::finished, &transfer, [&](const TransferReport& report) {
        done = true;
        if (!report.good())
            std::fprintf(stderr, "%s\n", report.sentence.toUtf8().constData());
    });
    test::waitFor([&] { return done; }, 600000);
    times.seconds = static_cast<double>(clock.elapsed()) / 1000;
    times.moving = rest;
    return times;
}

double scp(const test::LocalSshd& sshd, const QString& from, const QString& to) {
    QElapsedTimer clock;
    clock.start();
    QProcess process;
    process.start(QStringLiteral("scp"),
                  {QStringLiteral("-q"), QStringLiteral("-P"), QString::number(sshd.port), QStringLiteral("-i"),
                   fromPath(sshd.path("client")), QStringLiteral("-o"),
                   QStringLiteral("UserKnownHostsFile=") + fromPath(sshd.places.knownHosts), from, to});
    process.waitForFinished(600000);
    if (process.exitCode() != 0)
        std::fprintf(stderr, "%s\n", process.readAllStandardError().constData());
    return static_cast<double>(clock.elapsed()) / 1000;
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    const size_t megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 512;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    test::LocalSshd sshd;
    if (!test::LocalSshd::present() || !sshd.start()) {
        std::fprintf(stderr, "sshd does not run here\n");
        return 1;
    }
    const auto session = openSession(sshd);
    const auto local = sshd.path("file");
    const QString remote = fromPath(sshd.path("home") / "file");
    const QString server = qEnvironmentVariable("USER", QStringLiteral("root")) + QStringLiteral("@127.0.0.1:");
    for (int round = 0; round < rounds; ++round) {
        std::string content(megabytes << 20, 0);
        for (size_t i = 0; i < content.size(); i += 64)
            content[i] = static_cast<char>(i / 64 + static_cast<size_t>(round));
        test::writeBytes(local, content);
        const auto rate = [&](double seconds) { return static_cast<double>(megabytes) / seconds; };
        const Times up = ours(session->link(), {TransferWay::upload, local, remote, 0600, {}});
        const double scpUp = scp(sshd, fromPath(local), server + remote + QStringLiteral(".scp"));
        const auto back = sshd.path("back");
        const Times down = ours(session->link(), {TransferWay::download, back, remote, 0, {}});
        const double scpDown = scp(sshd, server + remote, fromPath(back) + QStringLiteral(".scp"));
        std::printf("%zu MB up:   ours %.0f MB/s moving, %.0f with hashes; scp %.0f\n", megabytes, rate(up.moving),
                    rate(up.seconds), rate(scpUp));
        std::printf("%zu MB down: ours %.0f MB/s moving, %.0f with hashes; scp %.0f\n", megabytes, rate(down.moving),
                    rate(down.seconds), rate(scpDown));
        std::fflush(stdout);
        std::filesystem::remove(back);
    }
    return 0;
}
