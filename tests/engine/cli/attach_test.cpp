// SPDX-License-Identifier: Apache-2.0
// The bridge as the studio uses it: catch-up by number, following, several viewers, commands, floods.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <sstream>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"
#include "tests/e2e/cli_support.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

// A run that this test writes itself, so that it knows what must come out of the bridge.
class WrittenRun {
 public:
    explicit WrittenRun(const RunFolder& folder)
        : m_folder(folder), m_lock(RunLock::acquire(folder, 1)), m_writer(EventWriter::open(folder, 1)) {
        m_writer.append(0, StartedEvent{});
        beat();
    }
    void write(int64_t records) {
        for (int64_t i = 0; i < records; ++i) {
            ++m_step;
            m_writer.append(m_step, MetricsEvent{.tokens = m_step, .values = {{"train/loss", 1.5}, {"train/x", 2.5}}});
        }
    }
    void beat() {
        writeRunState(m_folder, {.attempt = 1,
                                 .phase = "training",
                                 .step = m_step,
                                 .seq = m_writer.lastSeq(),
                                 .durableSeq = m_writer.durableSeq(),
                                 .process = ownIdentity(),
                                 .heartbeat = ++m_beat,
                                 .writtenAt = utcNow()});
    }
    void finish() {
        m_writer.append(m_step, FinishedEvent{.outcome = "finished", .reason = "done"});
        m_writer.sync();
    }
    int64_t lastSeq() const { return m_writer.lastSeq(); }

 private:
    RunFolder m_folder;
    RunLock m_lock;
    EventWriter m_writer;
    int64_t m_step = 0;
    int64_t m_beat = 0;
};

// What a bridge printed: its own lines, and the numbers of the records in their order.
struct Printed {
    std::vector<Json> own;
    std::vector<int64_t> seqs;

    static Printed of(const std::string& text) {
        Printed printed;
        std::istringstream stream(text.substr(0, text.rfind('\n') + 1));
        for (std::string line; std::getline(stream, line);) {
            const Json json = parseJson(line).orThrow();
            if (json.contains("bridge"))
                printed.own.push_back(json);
            else
                printed.seqs.push_back(json.at("seq").get<int64_t>());
        }
        return printed;
    }
    std::vector<Json> kind(const std::string& name) const {
        std::vector<Json> some;
        for (const Json& line : own)
            if (line.at("bridge") == name)
                some.push_back(line);
        return some;
    }
};

std::vector<int64_t> numbers(int64_t from, int64_t to) {
    std::vector<int64_t> all;
    for (int64_t i = from; i <= to; ++i)
        all.push_back(i);
    return all;
}

class AttachTest : public CliTest {
 protected:
    std::string folder() const { return m_run.folder().path.string(); }
    Printed attach(const std::vector<std::string>& more = {}) {
        EXPECT_EQ(run(with({"attach", folder()}, more)), 0) << m_errors;
        return Printed::of(m_output);
    }
    TempRun m_run;
};

TEST_F(AttachTest, EndedRunIsPrintedFromAnyNumberAndTheBridgeEnds) {
    {
        WrittenRun writer(m_run.folder());
        writer.write(50);
        writer.finish();
    }
    Printed printed = attach();
    EXPECT_EQ(printed.seqs, numbers(1, 52));
    ASSERT_EQ(printed.kind("hello").size(), 1U);
    EXPECT_EQ(printed.own.front().at("word"), "finished");
    EXPECT_EQ(printed.own.front().at("seq"), 52);
    EXPECT_EQ(printed.own.back().at("word"), "finished");
    EXPECT_EQ(attach({"--from", "30"}).seqs, numbers(30, 52)) << "SEQ is included: the overlap proves the history";
    EXPECT_TRUE(attach({"--from", "53"}).seqs.empty());
    EXPECT_EQ(attach({"--no-follow"}).seqs, numbers(1, 52));
    EXPECT_EQ(run({"attach", folder(), "--from", "0"}), 20);
    EXPECT_EQ(run({"attach", folder(), "--from", "x"}), 20);
}

TEST_F(AttachTest, LinesAreTheBytesOfTheFile) {
    {
        WrittenRun writer(m_run.folder());
        writer.write(20);
        writer.finish();
    }
    attach();
    std::string records;
    std::istringstream stream(m_output);
    for (std::string line; std::getline(stream, line);)
        if (!line.starts_with("{\"bridge\""))
            records += line + "\n";
    EXPECT_EQ(records, readBytes(m_run.folder().eventsFile()));
}

TEST_F(AttachTest, TwoViewersFollowAndEndWithTheRun) {
    auto writer = std::make_unique<WrittenRun>(m_run.folder());
    writer->write(10);
    EngineProgram first = start({"attach", folder()});
    EngineProgram second = start({"attach", folder(), "--from", "5"});
    first.waitForOutput("\"seq\":11,");
    second.waitForOutput("\"seq\":11,");
    const auto since = SteadyClock::now();
    writer->write(10);
    first.waitForOutput("\"seq\":21,");
    EXPECT_LT(secondsSince(since), 1.0) << "records come at once, not with the next state";
    second.waitForOutput("\"bridge\":\"state\"");
    second.waitForOutput("\"word\":\"running\"");
    writer->finish();
    writer.reset();
    EXPECT_EQ(first.wait(5), 0);
    EXPECT_EQ(second.wait(5), 0);
    EXPECT_EQ(Printed::of(first.output()).seqs, numbers(1, 22));
    EXPECT_EQ(Printed::of(second.output()).seqs, numbers(5, 22));
    EXPECT_EQ(Printed::of(second.output()).own.back().at("word"), "finished");
}

TEST_F(AttachTest, HalfALineWaitsForItsEnd) {
    {
        WrittenRun writer(m_run.folder());
        writer.write(3);
        writer.finish();
    }
    const std::string bytes = readBytes(m_run.folder().eventsFile());
    const size_t half = bytes.size() - 30;
    writeBytes(m_run.folder().eventsFile(), bytes.substr(0, half));
    const RunLock lock = RunLock::acquire(m_run.folder(), 1);  // a writer lives, so the bridge follows
    EngineProgram program = start({"attach", folder()});
    program.waitForOutput("\"seq\":4,");
    program.waitForOutput("\"bridge\":\"state\"");
    EXPECT_EQ(Printed::of(program.output()).seqs, numbers(1, 4));
    std::FILE* file = std::fopen(m_run.folder().eventsFile().c_str(), "ab");
    std::fwrite(bytes.data() + half, 1, 30, file);
    std::fclose(file);
    program.waitForOutput("\"seq\":5,");
    EXPECT_EQ(Printed::of(program.output()).seqs, numbers(1, 5));
}

TEST_F(AttachTest, UndeliverableCommandsAreAnswered) {
    const WrittenRun writer(m_run.folder());  // without a control socket
    EngineProgram program = start({"attach", folder()});
    program.type("{\"id\":\"c1\",\"command\":\"pause\"}\n{\"id\":\"c2\",\"com");
    const std::string output = program.waitForOutput("\"c1\"");
    const auto answers = Printed::of(output).kind("answer");
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0].at("command"), "pause");
    EXPECT_EQ(answers[0].at("accepted"), false);
    EXPECT_THAT(answers[0].at("detail").get<std::string>(), HasSubstr("not running"));
    program.type("mand\":\"stop\"}\n\nno json\n");
    program.waitForOutput("\"c2\"");
    EXPECT_TRUE(eventually([&] { return Printed::of(program.output()).kind("answer").size() == 3; }));
    program.closeInput();
    pauseMs(1500);
    EXPECT_EQ(program.wait(0), -1) << "a closed input does not end the watching";
}

TEST_F(AttachTest, ReaderThatGoesAwayEndsItQuietly) {
    const WrittenRun writer(m_run.folder());
    setenv("UNMASK_TEST_RUN", folder().c_str(), 1);
    const int status =
        std::system("bash -c '" UNMASK_BINARY_DIR
                    "/bin/unmask-engine attach \"$UNMASK_TEST_RUN\" < /dev/null 2> /dev/null | head -n 1 "
                    "> /dev/null; exit ${PIPESTATUS[0]}'");
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(AttachTest, TenThousandRecordsASecondPass) {
    constexpr int kSeconds = 3;
    auto writer = std::make_unique<WrittenRun>(m_run.folder());
    EngineProgram program = start({"attach", folder()});
    program.waitForOutput("hello");
    const auto since = SteadyClock::now();
    for (int tenth = 0; tenth < kSeconds * 10; ++tenth) {
        writer->write(1000);
        writer->beat();
        std::this_thread::sleep_until(since + std::chrono::milliseconds(100 * (tenth + 1)));
    }
    const double wroteFor = secondsSince(since);
    const int64_t last = writer->lastSeq();
    const bool came = eventually(
        [&] { return program.output().find("\"seq\":" + std::to_string(last) + ",") != std::string::npos; }, 5);
    EXPECT_TRUE(came);
    EXPECT_LT(secondsSince(since) - wroteFor, 1.5) << "it keeps up";
    EXPECT_EQ(Printed::of(program.output()).seqs, numbers(1, last));
    writer->finish();
    writer.reset();
    EXPECT_EQ(program.wait(5), 0);
}

TEST_F(AttachTest, BeginsWithinFiftyMilliseconds) {
    {
        WrittenRun writer(m_run.folder());
        writer.write(10);
        writer.finish();
    }
    double best = 1e9;
    for (int i = 0; i < 10; ++i) {
        const auto since = SteadyClock::now();
        attach({"--no-follow"});
        best = std::min(best, secondsSince(since));
    }
    EXPECT_LT(best, 0.05);
}

TEST_F(AttachTest, CommandsOfTwoViewersReachARealRun) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(tiny("start", 1'000'000, "live")), 0) << m_errors;
    const std::string live = runFolder("live").path.string();
    EngineProgram first = start({"attach", live});
    EngineProgram second = start({"attach", live});
    first.type("{\"id\":\"p1\",\"command\":\"pause\"}\n");
    EXPECT_THAT(second.waitForOutput("\"id\":\"p1\""), HasSubstr("\"kind\":\"command\""));
    second.waitForOutput("\"word\":\"paused\"");
    second.type("{\"id\":\"p1\",\"command\":\"pause\"}\n{\"id\":\"r1\",\"command\":\"resume\"}\n");
    first.waitForOutput("\"id\":\"r1\"");
    first.type("{\"id\":\"s1\",\"command\":\"stop\",\"checkpoint\":false}\n");
    EXPECT_EQ(first.wait(20), 0);
    EXPECT_EQ(second.wait(20), 0);
    EXPECT_EQ(Printed::of(first.output()).seqs, Printed::of(second.output()).seqs);
    EXPECT_EQ(Printed::of(first.output()).own.back().at("word"), "stopped");
    EXPECT_TRUE(eventually([&] { return readExitRecord(runFolder("live")).has_value(); }));
}

}  // namespace
}  // namespace unmask::test
