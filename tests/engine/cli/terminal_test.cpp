// SPDX-License-Identifier: Apache-2.0
// What people and programs read from the engine: progress, plain messages, the bridge's own lines, typed lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <locale.h>
#include <unistd.h>

#include <array>

#include "engine/cli/bridge.h"
#include "engine/cli/line_input.h"
#include "engine/cli/machine_checks.h"
#include "engine/cli/output.h"
#include "engine/cli/progress_state.h"
#include "engine/protocol/version.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::HasSubstr;

EventRecord metrics(int64_t step, double loss) {
    return {.seq = step + 1,
            .step = step,
            .event = MetricsEvent{.elapsedSeconds = static_cast<double>(step) * 0.5,
                                  .values = {{"train/loss", loss}, {"train/tokens_per_second", 15900.0}}}};
}

TEST(ProgressState, WordsAndTimeLeft) {
    ProgressState state;
    state.totalSteps = 100;
    for (int64_t step = 1; step <= 40; ++step)
        state.take(metrics(step, 2.5));
    state.take({.seq = 99, .step = 40, .event = MetricsEvent{.values = {{"validation/loss", 2.75}}}});
    EXPECT_EQ(state.secondsLeft(), 30.0);
    setlocale(LC_ALL, "de_DE.UTF-8");
    EXPECT_EQ(progressWords(state), "step 40/100 · loss 2.500 · validation 2.750 · 15.9 k tokens/s · 30 s left");
    state.take({.seq = 100, .step = 40, .event = PausedEvent{}});
    EXPECT_THAT(progressWords(state), HasSubstr("paused"));
}

TEST(ProgressState, ResumeForgetsTheSpeedOfBefore) {
    ProgressState state;
    state.totalSteps = 100;
    state.take(metrics(40, 2.5));
    state.take({.seq = 60, .attempt = 2, .step = 30, .event = ResumedEvent{.fromStep = 30}});
    EXPECT_EQ(state.step, 30);
    EXPECT_FALSE(state.secondsLeft());
}

TEST(ProgressState, ExtendedWhileRunning) {
    ProgressState state;
    state.totalSteps = 100;
    state.take({.seq = 1, .event = CommandEvent{.command = "set", .detail = "training.steps: 100 → 900"}});
    EXPECT_EQ(state.totalSteps, 900);
}

TEST(ProgressState, NonFiniteIsSaidAndNothingIsInvented) {
    EXPECT_EQ(fixedNumber(std::numeric_limits<double>::quiet_NaN(), 3), "NaN");
    EXPECT_EQ(progressWords({.totalSteps = 5}), "step 0/5");
    EXPECT_EQ(progressBar(0.5, 4), "██░░");
    EXPECT_EQ(progressBar(7, 2), "██");
    EXPECT_EQ(progressWords({.step = 5, .totalSteps = 5, .phase = "stopping"}), "step 5/5") << "it has ended by itself";
    EXPECT_EQ(progressWords({.step = 3, .totalSteps = 5, .phase = "stopping"}), "step 3/5 · stopping");
}

TEST(Output, ComponentIsForLogsNotForPeople) {
    EXPECT_EQ(plainMessage(Error(ErrorCode::badInput, "[data] the file is empty")), "the file is empty");
    EXPECT_EQ(plainMessage(Error(ErrorCode::badInput, "plain [x] text")), "plain [x] text");
}

TEST(Bridge, HelloSaysWhoAndHow) {
    const test::TempRun run;
    RunStatus status{.word = RunWord::paused,
                     .evidence = "it was asked to",
                     .attempt = 3,
                     .step = 7,
                     .totalSteps = 9,
                     .seq = 12,
                     .durableSeq = 11};
    const Json json = parseJson(helloLine(run.folder(), readRunCard(run.folder()), status)).orThrow();
    EXPECT_EQ(json["bridge"], "hello");
    EXPECT_EQ(json["protocol"], kProtocolVersion);
    EXPECT_EQ(json["id"], "temp-20260101-000000-0001");
    EXPECT_EQ(json["folder"], run.folder().path.string());
    EXPECT_EQ(json["word"], "paused");
    EXPECT_EQ(json["seq"], 12);
    EXPECT_EQ(json["durable_seq"], 11);
    EXPECT_FALSE(json.contains("problem"));
    EXPECT_EQ(parseJson(stateLine(status)).orThrow()["bridge"], "state");
}

TEST(Bridge, RunOfANewerVersionIsToldInTheHello) {
    const test::TempRun run;
    test::writeBytes(run.folder().runFile(), R"({"id": "x", "format_version": 99})");
    const RunCard card = readRunCard(run.folder());
    EXPECT_THAT(card.problem, HasSubstr("newer version"));
    EXPECT_TRUE(parseJson(helloLine(run.folder(), card, {})).orThrow().contains("problem"));
}

TEST(LineInput, LinesAreWholeAndLongOnesDropped) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    LineInput input(ends[0], 8);
    ASSERT_EQ(write(ends[1], "one\ntw", 6), 6);
    auto lines = input.read();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].text, "one");
    ASSERT_EQ(write(ends[1], "o\n123456789\nlast\n", 17), 17);
    lines = input.read();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].text, "two");
    EXPECT_TRUE(lines[1].tooLong);
    EXPECT_EQ(lines[2].text, "last");
    close(ends[1]);
    EXPECT_TRUE(input.read().empty());
    EXPECT_TRUE(input.ended());
    close(ends[0]);
}

TEST(MachineChecks, SayWhatIsMissingInWords) {
    const test::TempFolder folder;
    setenv("UNMASK_TORCH_DIR", folder.path().c_str(), 1);
    setenv("UNMASK_RUNS", "/proc/no/such/place", 1);
    Hardware bare;
    std::map<std::string, MachineCheck> checks;
    for (const MachineCheck& check : checkMachine(bare))
        checks[check.topic] = check;
    unsetenv("UNMASK_TORCH_DIR");
    unsetenv("UNMASK_RUNS");
    EXPECT_EQ(checks.at("LibTorch").state, CheckState::missing);
    EXPECT_THAT(checks.at("LibTorch").text, HasSubstr(folder.path().string()));
    EXPECT_EQ(checks.at("Runs folder").state, CheckState::missing);
    EXPECT_THAT(checks.at("Memory").text, HasSubstr("unknown"));
    EXPECT_THAT(checks.at("GPU").text, HasSubstr("CPU"));
}

TEST(MachineChecks, TorchVersionAndParents) {
    const test::TempFolder folder;
    test::writeBytes(folder.path() / "version.py", "import x\n__version__ = '2.11.0+cu130'\n");
    EXPECT_EQ(torchVersion(folder.path()), "2.11.0+cu130");
    EXPECT_EQ(existingParent(folder.path() / "a" / "b"), folder.path());
    EXPECT_EQ(networkFileSystem(folder.path()), "");
}

}  // namespace
}  // namespace unmask
