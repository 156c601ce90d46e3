// SPDX-License-Identifier: Apache-2.0
// A run's life from the command line, with the real worker: trained, stopped, killed, gone on with, extended.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include "engine/base/json.h"
#include "engine/journal/run_lock.h"
#include "tests/e2e/cli_support.h"
#include "tests/support/german_locale.h"

namespace unmask::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Nobody may have reaped it where the first process of a container is no init.
bool isGone(pid_t pid) {
    const fs::path stat = "/proc/" + std::to_string(pid) + "/stat";
    return !fs::exists(stat) || readBytes(stat).find(") Z ") != std::string::npos;
}

class RunTest : public CliTest {
 protected:
    std::vector<EventRecord> records(const std::string& name = "run") const {
        EventReader reader(runFolder(name));
        std::vector<EventRecord> all;
        for (auto some = reader.readRecords(); !some.empty(); some = reader.readRecords())
            all.insert(all.end(), some.begin(), some.end());
        EXPECT_THAT(reader.damages(), IsEmpty());
        return all;
    }
    // The curve as people see it: later attempts replace what they trained anew.
    std::map<int64_t, double> curve(const std::string& name = "run") const {
        std::map<int64_t, double> points;
        for (const EventRecord& record : records(name)) {
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
                points.erase(points.upper_bound(resumed->fromStep), points.end());
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (!metrics || !metrics->values.contains("train/loss"))
                continue;
            const bool isNew = points.emplace(record.step, metrics->values.at("train/loss")).second;
            EXPECT_TRUE(isNew) << "step " << record.step << " twice";
        }
        return points;
    }
    template <class Kind>
    std::vector<Kind> eventsOf(const std::string& name = "run") const {
        std::vector<Kind> some;
        for (const EventRecord& record : records(name))
            if (const auto* event = std::get_if<Kind>(&record.event))
                some.push_back(*event);
        return some;
    }
    bool reached(int64_t step, const std::string& name = "run") const {
        return eventually([&] { return summariseJournal(runFolder(name)).lastStep >= step; });
    }
    RunWord word(const std::string& name = "run") const { return RunObserver(runFolder(name)).observe().word; }
    std::vector<std::string> goOn(const std::string& name = "run") const {
        return {"train", "--resume", "--run", runFolder(name).path.string()};
    }
    pid_t workerPid() const { return static_cast<pid_t>(readRunState(runFolder())->process.pid); }
    static constexpr int64_t kEndless = 1'000'000;
};

TEST_F(RunTest, TrainedToTheEndThenRepeatedThenExtended) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(with(tiny("train", 20), {"--sample-interval", "10"})), 0) << m_output << m_errors;
    EXPECT_THAT(m_output, HasSubstr("step 20/20"));
    EXPECT_THAT(m_output, HasSubstr("Generated"));
    EXPECT_THAT(m_output, HasSubstr("Run folder: " + runFolder().path.string()));
    EXPECT_EQ(readExitRecord(runFolder())->outcome, "finished");
    EXPECT_EQ(word(), RunWord::finished);
    EXPECT_EQ(curve().size(), 20U);

    const std::string journal = readBytes(runFolder().eventsFile());
    EXPECT_EQ(run(tiny("train", 20)), 20) << "without --resume";
    EXPECT_THAT(m_errors, HasSubstr("--resume"));
    EXPECT_EQ(run(with(tiny("train", 20), {"--resume", "--sample-interval", "10"})), 0) << m_errors;
    EXPECT_THAT(m_output, HasSubstr("finished"));
    EXPECT_EQ(run(with(goOn(), {"--width", "32"})), 20);
    EXPECT_THAT(m_errors, HasSubstr("model.width is 16 in this run, not 32"));
    EXPECT_EQ(readBytes(runFolder().eventsFile()), journal) << "none of these may touch the run";

    ASSERT_EQ(run(with(goOn(), {"--steps", "30"})), 0) << m_output << m_errors;
    EXPECT_THAT(m_output, HasSubstr("Going on from step 20"));
    ASSERT_EQ(eventsOf<ResumedEvent>().size(), 1U);
    EXPECT_THAT(eventsOf<ResumedEvent>()[0].changed, Contains("training.steps: 20 → 30"));
    EXPECT_EQ(curve().size(), 30U);
    EXPECT_EQ(run(goOn()), 0);
    EXPECT_THAT(m_output, HasSubstr("finished: 30 steps")) << "the extension is remembered";
}

TEST_F(RunTest, WithoutSamplesTextIsGeneratedAtTheEnd) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(tiny("train", 5)), 0) << m_output << m_errors;
    const size_t at = m_output.find("Generated text:\n");
    ASSERT_NE(at, std::string::npos) << m_output;
    EXPECT_LT(at, m_output.find("Finished: 5 steps"));
}

TEST_F(RunTest, CtrlCSavesAndGoingOnGivesTheSameCurve) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(tiny("train", 400, "undisturbed")), 0) << m_output << m_errors;
    EngineProgram program = start(tiny("train", 400));
    ASSERT_TRUE(reached(20));
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 10) << program.output() << program.errors();
    EXPECT_THAT(program.output(), HasSubstr("saved first"));
    EXPECT_EQ(word(), RunWord::stopped);
    const int64_t stoppedAt = readExitRecord(runFolder())->lastStep;
    EXPECT_LT(stoppedAt, 400);
    ASSERT_EQ(run(goOn()), 0) << m_output << m_errors;
    EXPECT_EQ(eventsOf<ResumedEvent>().at(0).fromStep, stoppedAt);
    EXPECT_EQ(curve(), curve("undisturbed")) << "bit by bit";
}

TEST_F(RunTest, TerminateSavesAndEndsWith27) {
    UNMASK_NEEDS_WORKER();
    EngineProgram program = start(with(tiny("train", kEndless), {"--checkpoint-interval", "never"}));
    ASSERT_TRUE(reached(5));
    program.send(SIGTERM);
    EXPECT_EQ(program.wait(), 27) << program.output() << program.errors();
    EXPECT_EQ(summariseJournal(runFolder()).savedCheckpoints.size(), 1U);
    EXPECT_THAT(program.output(), HasSubstr("To go on: "));
}

TEST_F(RunTest, KilledWorkerIsInterruptedAndGoesOn) {
    UNMASK_NEEDS_WORKER();
    EngineProgram program = start(with(tiny("train", kEndless), {"--checkpoint-interval", "10"}));
    ASSERT_TRUE(reached(25));
    kill(workerPid(), SIGKILL);
    EXPECT_EQ(program.wait(), 128 + SIGKILL);
    EXPECT_EQ(word(), RunWord::interrupted);
    EXPECT_THAT(readExitRecord(runFolder())->reason, HasSubstr("SIGKILL"));
    const int64_t steps = summariseJournal(runFolder()).lastStep + 5;
    ASSERT_EQ(run(with(goOn(), {"--set", "training.steps=" + std::to_string(steps)})), 0) << m_output << m_errors;
    EXPECT_GE(eventsOf<ResumedEvent>().at(0).fromStep, 10);
    EXPECT_EQ(curve().size(), static_cast<size_t>(steps));
}

TEST_F(RunTest, KilledSupervisorLetsTheWorkerSave) {
    UNMASK_NEEDS_WORKER();
    EngineProgram program = start(with(tiny("train", kEndless), {"--checkpoint-interval", "never"}));
    ASSERT_TRUE(reached(5));
    program.send(SIGKILL);
    program.wait();
    ASSERT_TRUE(eventually([&] { return !isLocked(runFolder()); }));
    EXPECT_EQ(summariseJournal(runFolder()).savedCheckpoints.size(), 1U);
    EXPECT_EQ(word(), RunWord::stopped);
}

// The worker was told to save and end, but is still loading, or saving, and may hold or be about to take the lock.
TEST_F(RunTest, WhoGoesOnAtOnceAfterAKilledSupervisorIsNotRefused) {
    UNMASK_NEEDS_WORKER();
    const std::string folder = runFolder().path.string();
    const std::string endless = std::to_string(kEndless);
    ASSERT_EQ(run(tiny("train", 5)), 0) << m_output << m_errors;
    for (const int delay : {30, 150, 400, 700, 1000}) {
        {
            EngineProgram engine = start(with(goOn(), {"--steps", endless, "--checkpoint-interval", "never"}));
            pauseMs(delay);  // anywhere from starting to training
            engine.send(SIGKILL);
            engine.wait();
        }
        ASSERT_EQ(run({"start", "--resume", "--run", folder, "--steps", endless}), 0) << delay << " ms: " << m_errors;
        ASSERT_EQ(run({"command", folder, "stop"}), 0) << delay << " ms: " << m_errors;
        ASSERT_TRUE(eventually([&] { return !isLocked(runFolder()); }));
    }
    EXPECT_EQ(curve().size(), static_cast<size_t>(curve().rbegin()->first)) << "no gap";
}

TEST_F(RunTest, ADamagedNewestCheckpointIsSaidAndTheOneBeforeIsUsed) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(tiny("train", 400, "undisturbed")), 0) << m_errors;
    {
        EngineProgram program = start(with(tiny("train", 400), {"--checkpoint-interval", "10"}));
        ASSERT_TRUE(reached(25));
        program.send(SIGINT);
        ASSERT_EQ(program.wait(), 10) << program.output() << program.errors();
    }
    const std::vector<std::string> saved = summariseJournal(runFolder()).savedCheckpoints;
    ASSERT_GE(saved.size(), 2U);
    const fs::path weights = runFolder().checkpoints() / saved.back() / "weights.safetensors";
    flipBit(weights, static_cast<size_t>(fs::file_size(weights)) - 100, 3);
    ASSERT_EQ(run(goOn()), 0) << m_output << m_errors;
    EXPECT_THAT(m_output, HasSubstr("Checkpoint " + saved.back() + " is damaged and passed over"));
    EXPECT_THAT(m_output, HasSubstr("(" + saved[saved.size() - 2] + ")"));
    EXPECT_EQ(curve(), curve("undisturbed")) << "bit by bit";
}

// Files that people really bring, without preparation by hand.
TEST_F(RunTest, RealTextsTrainAsTheyAre) {
    UNMASK_NEEDS_WORKER();
    int tried = 0;
    for (const char* name : {"tinyshakespeare.txt", "wikitext2_valid.txt", "alpaca_zh_demo.json", "c4_demo.jsonl"}) {
        const fs::path data = realData(name);
        if (data.empty())
            continue;
        ++tried;
        std::vector<std::string> arguments = tiny("train", 2, name);
        arguments[2] = data.string();
        EXPECT_EQ(run(arguments), 0) << name << "\n" << m_output << m_errors;
        EXPECT_EQ(curve(name).size(), 2U) << name;
    }
    if (tried == 0)
        GTEST_SKIP() << "the real texts are not on this machine (UNMASK_TEST_DATA)";
}

TEST_F(RunTest, DecimalCommasChangeNothing) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(tiny("train", 10, "plain")), 0) << m_errors;
    const GermanLocale german;
    if (!german.active())
        GTEST_SKIP() << "no German locale here, and none can be made";
    m_environment["LANG"] = m_environment["LC_ALL"] = "de_DE.UTF-8";
    ASSERT_EQ(run(with(tiny("train", 8), {"--learning-rate", "3e-4"})), 0) << m_errors;
    ASSERT_EQ(run(with(goOn(), {"--steps", "10"})), 0) << m_errors;
    EXPECT_EQ(run({"status", runFolder().path.string()}), 0);
    EXPECT_THAT(m_output, HasSubstr("finished"));
    EXPECT_EQ(curve().size(), curve("plain").size());
    EXPECT_EQ(curve().begin()->second, curve("plain").begin()->second);
}

TEST_F(RunTest, StartIsDetachedAndTakesCommands) {
    UNMASK_NEEDS_WORKER();
    const std::string folder = runFolder().path.string();
    ASSERT_EQ(run(with(tiny("start", kEndless), {"--json", "--checkpoint-interval", "never"})), 0) << m_errors;
    const Json answer = parseJson(m_output).orThrow();
    EXPECT_EQ(answer.at("folder"), folder);
    const auto supervisor = answer.at("pid").get<pid_t>();
    EXPECT_EQ(getsid(supervisor), supervisor) << "a session of its own";
    EXPECT_EQ(fs::read_symlink("/proc/" + std::to_string(supervisor) + "/fd/0"), "/dev/null");
    ASSERT_FALSE(eventsOf<StartedEvent>().empty()) << "it returns when the run has begun";
    EXPECT_EQ(eventsOf<StartedEvent>()[0].runId, answer.at("id"));

    for (const char* command : {"start", "train"}) {
        EXPECT_EQ(run({command, "--resume", "--run", folder}), 20) << "a second engine on the same run";
        EXPECT_THAT(m_errors, HasSubstr("is being trained by process"));
    }
    kill(supervisor, SIGHUP);
    kill(workerPid(), SIGHUP);
    EXPECT_EQ(run({"command", folder, "pause"}), 0) << m_errors;
    EXPECT_TRUE(eventually([&] { return word() == RunWord::paused; }));
    EXPECT_EQ(run({"status", folder}), 0);
    EXPECT_THAT(m_output, HasSubstr("paused"));
    EXPECT_EQ(run({"command", folder, "resume"}), 0) << m_errors;
    EXPECT_EQ(run({"command", folder, "checkpoint"}), 0) << m_errors;
    EXPECT_EQ(eventsOf<CheckpointEvent>().size(), 1U);
    EXPECT_EQ(run({"command", folder, "sample"}), 0) << m_errors;
    EXPECT_EQ(eventsOf<SampleEvent>().size(), 1U);
    EXPECT_EQ(run({"command", folder, "set", "learning_rate=0.001"}), 0) << m_errors;
    EXPECT_EQ(run({"command", folder, "set", "model.width=32"}), 20);
    EXPECT_EQ(run({"command", folder, "set", "learning_rate=fast"}), 20);
    EXPECT_EQ(run({"command", folder, "dance"}), 20);
    EXPECT_EQ(run({"command", folder, "stop"}), 0) << m_errors;
    ASSERT_TRUE(eventually([&] { return readExitRecord(runFolder()).has_value(); }));
    EXPECT_EQ(readExitRecord(runFolder())->exitCode, 10);
    EXPECT_TRUE(eventually([&] { return isGone(supervisor); })) << "nothing is left behind";
    EXPECT_EQ(run({"command", folder, "pause"}), 20);
    EXPECT_THAT(m_errors, HasSubstr("not running"));

    ASSERT_EQ(run({"start", "--resume", "--run", folder}), 0) << m_errors;
    EXPECT_EQ(eventsOf<ResumedEvent>().size(), 1U);
    EXPECT_EQ(run({"command", folder, "stop", "--no-checkpoint"}), 0) << m_errors;
    EXPECT_TRUE(eventually([&] { return word() == RunWord::stopped && !isLocked(runFolder()); }));
}

TEST_F(RunTest, RunsFolderHoldsRunsAndIdsFindThem) {
    UNMASK_NEEDS_WORKER();
    std::vector<std::string> arguments = tiny("train", 3);
    const auto option = std::find(arguments.begin(), arguments.end(), "--run");
    arguments.erase(option, option + 2);
    ASSERT_EQ(run(with(arguments, {"--name", "My first run"})), 0) << m_output << m_errors;
    ASSERT_EQ(run({"status", "--json"}), 0);
    const Json list = parseJson(m_output).orThrow();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].at("name"), "My first run");
    EXPECT_EQ(list[0].at("word"), "finished");
    EXPECT_EQ(list[0].at("step"), 3);
    const auto id = list[0].at("id").get<std::string>();
    EXPECT_TRUE(id.starts_with("my-first-run-")) << id;
    EXPECT_EQ(run({"attach", id}), 0);
    EXPECT_EQ(run({"train", "--resume", "--run", id, "--steps", "6"}), 0) << m_errors;
    EXPECT_EQ(run({"sample", "--run", id, "--length", "8"}), 0) << m_errors;
}

TEST_F(RunTest, DataThatChangedIsNotedOnResume) {
    UNMASK_NEEDS_WORKER();
    ASSERT_EQ(run(tiny("train", 3)), 0) << m_errors;
    writeBytes(place("Text ü 文.txt"), std::string(9000, 'x'));
    EXPECT_EQ(run(with(goOn(), {"--steps", "6"})), 20);
    EXPECT_THAT(m_errors, HasSubstr("data has changed"));
    EXPECT_EQ(word(), RunWord::finished);
}

}  // namespace
}  // namespace unmask::test
