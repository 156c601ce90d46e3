// SPDX-License-Identifier: Apache-2.0
// The engine of this build is packed, brought to a real sshd's home folder, and trains there.
#include "ui/remote/engine_deploy.h"

#include <sys/stat.h>

#include "tests/ui/remote/cutting_proxy.h"
#include "tests/ui/remote/remote_fixture.h"
#include "tests/ui/remote/remote_run.h"
#include "ui/client/run_link.h"
#include "ui/remote/engine_bundle.h"
#include "ui/remote/remote_link.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

using test::waitFor;
using test::writeBytes;

class EngineDeployTest : public test::RemoteTest {
 protected:
    void SetUp() override {
        RemoteTest::SetUp();
        if (IsSkipped())
            return;
        if (!test::canTrain())
            GTEST_SKIP() << "unmask-engine and unmask-worker are not built";
        m_bundle = packed();
        ASSERT_FALSE(m_bundle.archive.empty());
    }
    // Once for all tests; takes some seconds.
    static EngineBundle packed() {
        static const test::TempFolder folder;
        static const EngineBundle bundle = [] {
            QProcess make;
            make.start(QStringLiteral(UNMASK_SOURCE_DIR "/packaging/make_bundle.sh"),
                       {QStringLiteral(UNMASK_BINARY_DIR), fromPath(folder.path())});
            EXPECT_TRUE(make.waitForFinished(120000));
            EXPECT_EQ(make.exitCode(), 0) << make.readAllStandardError().toStdString();
            const auto read = readEngineBundle(folder.path() / "unmask-engine-x86_64.json");
            EXPECT_TRUE(read.ok()) << read.error().what();
            return read.ok() ? read.value() : EngineBundle{};
        }();
        return bundle;
    }
    DeployReport deploy() { return deploy(link()); }
    DeployReport deploy(std::shared_ptr<SshThread> way) {
        EngineDeploy deploy(std::move(way), m_bundle, m_environment);
        DeployReport report;
        bool done = false;
        m_steps.clear();
        QObject::connect(&deploy, &EngineDeploy::stepReached, &deploy,
                         [&](DeployStep step) { m_steps.push_back(step); });
        QObject::connect(&deploy, &EngineDeploy::finished, &deploy, [&](const DeployReport& got) {
            report = got;
            done = true;
        });
        EXPECT_TRUE(waitFor([&] { return done; }, 120000));
        return report;
    }
    std::filesystem::path cache() const { return m_sshd.path("home") / ".cache/unmask"; }
    static int entries(const std::filesystem::path& folder) {
        return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder), {}));
    }
    void plant(const char* name, const std::string& body) {
        const auto file = m_sshd.path("tools") / name;
        std::filesystem::create_directories(file.parent_path());
        writeBytes(file, "#!/bin/sh\n" + body + "\n");
        std::filesystem::permissions(file, std::filesystem::perms{0755});
        m_environment += QStringLiteral("PATH=%1:$PATH").arg(fromPath(m_sshd.path("tools")));
    }

    EngineBundle m_bundle;
    QStringList m_environment{QStringLiteral("UNMASK_TORCH_DIR=" UNMASK_TORCH_DIR)};
    std::vector<DeployStep> m_steps;
};

TEST_F(EngineDeployTest, TheEngineIsBroughtOnceAndTrainsThere) {
    DeployReport report = deploy();
    ASSERT_TRUE(report.good()) << report.problem.sentence.toStdString();
    EXPECT_FALSE(report.wasThere);
    EXPECT_EQ(m_steps.size(), 4u);
    struct stat status {};
    ASSERT_EQ(::stat(toPath(report.folder).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0700u);

    // From adding the server to the first loss, with what was brought before.
    QElapsedTimer clock;
    clock.start();
    m_session.reset();
    openSession();
    report = deploy();
    ASSERT_TRUE(report.good()) << report.problem.sentence.toStdString();
    EXPECT_TRUE(report.wasThere);
    EXPECT_EQ(entries(cache() / "engines"), 1);
    const auto run = m_sshd.path("home") / "run";
    RemoteProgram start;
    start.words = QStringList{report.engine} + test::tinyRun(run, 300);
    start.environment = report.environment;
    const RemoteReply started = RemoteTest::run(start);
    ASSERT_TRUE(started.good()) << started.lastWords().toStdString();
    m_session.reset();  // the run needs no session
    ServerLink server(m_sshd.route(), m_sshd.places, m_secrets);
    RunLink link(remoteFactory(&server, {report.engine, fromPath(run), report.environment}));
    bool loss = false;
    bool finished = false;
    qint64 lossMs = 0;
    QObject::connect(&link, &RunLink::recordsReceived, &link, [&](const RecordBatchPtr& batch) {
        for (const EventRecord& record : batch->records) {
            finished = finished || std::holds_alternative<FinishedEvent>(record.event);
            if (!loss && std::holds_alternative<MetricsEvent>(record.event)) {
                loss = true;
                lossMs = clock.elapsed();
            }
        }
    });
    link.open({});
    ASSERT_TRUE(waitFor([&] { return loss; }, 60000)) << link.status().detail.toStdString();
    ASSERT_TRUE(waitFor([&] { return link.status().word == LinkWord::ended; }, 60000));
    std::printf("first loss %lld ms after the session was asked for\n", static_cast<long long>(lossMs));
    EXPECT_TRUE(finished);
}

TEST_F(EngineDeployTest, WhatWasBrokenOffIsGoneOnWith) {
    link();
    test::CuttingProxy proxy(m_sshd.port);
    SshRoute route = m_sshd.route();
    route.hops[0].port = proxy.port;
    m_session = makeSession(route);
    proxy.cutAfter(2 << 20);
    EXPECT_EQ(deploy(m_session->link()).problem.fault, DeployFault::linkDown);
    EXPECT_EQ(entries(cache() / "bundles"), 1) << "the part is kept";
    std::filesystem::create_directories(cache() / "engines" / "0123456789abcdef.new.1" /
                                        "bin");  // unpacking was killed
    m_session = makeSession(route);
    const DeployReport report = deploy(m_session->link());
    EXPECT_TRUE(report.good()) << report.problem.sentence.toStdString();
    EXPECT_EQ(entries(cache() / "bundles"), 1);
}

TEST_F(EngineDeployTest, WhatIsMissingThereIsSaidInWords) {
    plant("ldd",
          "case \"$*\" in *unmask*) printf '\\tlibfoo.so.7 => not found\\n\\tlibc.so.6 => /lib/libc.so.6\\n';; "
          "*) echo 'ldd (GNU libc) 2.36';; esac");
    DeployReport report = deploy();
    EXPECT_EQ(report.problem.fault, DeployFault::missingLibrary);
    EXPECT_TRUE(report.problem.sentence.contains(QStringLiteral("libfoo.so.7")))
        << report.problem.sentence.toStdString();
    EXPECT_FALSE(report.problem.sentence.contains(QStringLiteral("libc.so.6")));
    plant("getconf", "case $1 in GNU_LIBC_VERSION) echo glibc 2.17;; *) echo 1;; esac");
    report = deploy();
    EXPECT_EQ(report.problem.fault, DeployFault::oldGlibc);
    EXPECT_TRUE(report.problem.sentence.contains(QStringLiteral("2.17"))) << report.problem.sentence.toStdString();
    EXPECT_EQ(m_steps.size(), 1u) << "nothing was moved";
}

TEST_F(EngineDeployTest, AFileThatChangesWhileItIsUnpackedIsFound) {
    plant("tar", "/bin/tar \"$@\" && printf x >>bin/unmask-engine");
    DeployReport report = deploy();
    EXPECT_EQ(report.problem.fault, DeployFault::unpack) << report.problem.sentence.toStdString();
    EXPECT_EQ(entries(cache() / "engines"), 0);
    plant("tar", "exit 1");
    report = deploy();
    EXPECT_EQ(report.problem.fault, DeployFault::unpack);
    EXPECT_EQ(entries(cache() / "engines"), 0);
}

}  // namespace
}  // namespace unmask::ui
