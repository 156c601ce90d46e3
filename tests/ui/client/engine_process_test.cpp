// SPDX-License-Identifier: Apache-2.0
// Real child processes: small shell scripts in place of the engine.
#include "ui/client/engine_process.h"

#include <gtest/gtest.h>

#include "engine/base/places.h"
#include "engine/protocol/spec_json.h"
#include "tests/support/temp_run.h"
#include "tests/ui/support/journal_text.h"
#include "tests/ui/support/wait_for.h"
#include "ui/client/process_transport.h"
#include "ui/client/run_link.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

using test::waitFor;

class EngineProcessTest : public testing::Test {
 protected:
    QString script(const std::string& body) {
        const auto file = m_folder.path() / "an engine's 引擎";
        test::writeBytes(file, "#!/bin/sh\n" + body);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        return fromPath(file);
    }
    EngineReply replyOf(EngineTask* task) {
        EngineReply reply;
        bool done = false;
        QObject::connect(task, &EngineTask::finished, task, [&](const EngineReply& r) {
            reply = r;
            done = true;
        });
        EXPECT_TRUE(waitFor([&] { return done; }));
        return reply;
    }

    test::TempFolder m_folder;
};

TEST_F(EngineProcessTest, JsonComesBackParsed) {
    EngineProcess engine(script("echo \"{\\\"args\\\":\\\"$*\\\"}\""));
    const EngineReply reply = replyOf(engine.doctor());
    EXPECT_TRUE(reply.ok);
    EXPECT_EQ(reply.json["args"], "doctor --json");
    EXPECT_TRUE(reply.sentence.isEmpty());
}

TEST_F(EngineProcessTest, TheEnginesSentenceIsTheError) {
    EngineProcess engine(script("echo loading >&2; echo 'unmask-engine: the batch cannot fit: 25 GiB' >&2; exit 20"));
    QStringList progress;
    EngineTask* task = engine.doctor();
    QObject::connect(task, &EngineTask::progressed, task, [&](const QString& line) { progress << line; });
    const EngineReply reply = replyOf(task);
    EXPECT_FALSE(reply.ok);
    EXPECT_EQ(reply.exitCode, 20);
    EXPECT_EQ(reply.sentence, QStringLiteral("the batch cannot fit: 25 GiB"));
    EXPECT_EQ(progress.value(0), QStringLiteral("loading"));
}

TEST_F(EngineProcessTest, ASilentOrKilledEngineStillGivesASentence) {
    EXPECT_TRUE(replyOf(EngineProcess(script("exit 29")).doctor()).sentence.contains(QStringLiteral("29")));
}

TEST_F(EngineProcessTest, AMissingEngineIsAReply) {
    EngineProcess engine(QStringLiteral("/nowhere/unmask-engine"));
    const EngineReply reply = replyOf(engine.doctor());
    EXPECT_FALSE(reply.ok);
    EXPECT_TRUE(reply.sentence.contains(QStringLiteral("/nowhere/unmask-engine")));
}

TEST_F(EngineProcessTest, TheSpecArrivesAsAFileThatIsGoneAfterwards) {
    const auto copy = m_folder.path() / "copy.json";
    const auto name = m_folder.path() / "name";
    EngineProcess engine(script("for f; do last=$f; done; cp \"$last\" '" + copy.string() +
                                "'; printf %s \"$last\" > '" + name.string() +
                                "'; echo \"{\\\"folder\\\":\\\"$3\\\"}\""));
    StartRequest request;
    request.spec.training.steps = 777;
    request.runFolder = "/runs/a b";
    const EngineReply reply = replyOf(engine.start(request));
    ASSERT_TRUE(reply.ok) << toUtf8(reply.sentence);
    EXPECT_EQ(reply.json["folder"], "/runs/a b");
    const auto spec = readRunFile(copy);
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec.value().training.steps, 777);
    const std::filesystem::path file = test::readBytes(name);
    EXPECT_TRUE(waitFor([&] { return !std::filesystem::exists(file); }));
}

TEST_F(EngineProcessTest, TheEnvironmentVariableNamesTheEngine) {
    qputenv("UNMASK_ENGINE", "/somewhere/else");
    EXPECT_EQ(locateEngine(), QStringLiteral("/somewhere/else"));
    qunsetenv("UNMASK_ENGINE");
    EXPECT_EQ(toPath(locateEngine()), executableFolder() / "unmask-engine");
}

// The real transport with a real child; killed bridges are started again.
TEST_F(EngineProcessTest, ALinkOverAChildProcess) {
    test::JournalText journal;
    journal.started().losses(1, 100);
    const auto file = m_folder.path() / "journal";
    test::writeBytes(file, journal.text());
    const QString program = script(
        "echo '{\"bridge\":\"hello\",\"protocol\":1,\"word\":\"running\"}'\n"
        "tail -n +$4 '" +
        file.string() +
        "'\n"
        "read command; exit 3");
    RunLink link(RunLink::processFactory(program, QStringLiteral("/runs/x")));
    size_t records = 0;
    QObject::connect(&link, &RunLink::recordsReceived, &link,
                     [&](const RecordBatchPtr& batch) { records += batch->records.size(); });
    link.open({});
    ASSERT_TRUE(waitFor([&] { return records == 101; }));
    Command command;
    link.send(command);  // the script ends on its first input
    ASSERT_TRUE(waitFor([&] { return link.status().word == LinkWord::reconnecting; }));
    EXPECT_TRUE(link.status().detail.contains(QStringLiteral("3")));
    journal.losses(101, 110);
    test::writeBytes(file, journal.text());
    link.retryNow();
    EXPECT_TRUE(waitFor([&] { return records == 111; }));
}

}  // namespace
}  // namespace unmask::ui
