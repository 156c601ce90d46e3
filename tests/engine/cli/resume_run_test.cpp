// SPDX-License-Identifier: Apache-2.0
// What may change when a run goes on, and what earlier attempts changed.
#include "engine/cli/resume_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"
#include "engine/protocol/presets.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunSpec startedSpec() {
    RunSpec spec = presetSpec("first-steps").orThrow();
    spec.launch.name = "first";
    return resolveSpec(spec);
}

TEST(ResumeRun, RepeatedArgumentsChangeNothing) {
    const RunSpec started = startedSpec();
    const RunSpec repeated = presetSpec("first-steps").orThrow();  // with its zeros for "as fits", and no name
    EXPECT_THAT(settingArguments(started, applyChanges(started, started, repeated)), IsEmpty());
}

TEST(ResumeRun, ChangeableFieldsAreTakenAndOthersRefused) {
    const RunSpec started = startedSpec();
    RunSpec wanted = started;
    wanted.training.steps = 5000;
    wanted.checkpoint.interval = Interval::steps(7);
    EXPECT_THAT(settingArguments(started, applyChanges(started, started, wanted)),
                ElementsAre("training.steps=5000", "checkpoint.checkpoint_interval=7"));
    wanted.model.width = 256;
    try {
        applyChanges(started, started, wanted);
        FAIL() << "the width changed";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("model.width is 128 in this run, not 256"));
    }
}

TEST(ResumeRun, EarlierChangesStayUnlessChangedAgain) {
    const RunSpec started = startedSpec();
    RunSpec extended = started;
    extended.training.steps = 5000;
    EXPECT_EQ(applyChanges(started, extended, started).training.steps, 5000) << "the old arguments were repeated";
    RunSpec wanted = started;
    wanted.training.steps = 9000;
    EXPECT_EQ(applyChanges(started, extended, wanted).training.steps, 9000);
}

TEST(ResumeRun, JournalTellsWhatEarlierAttemptsChanged) {
    const test::TempRun run(startedSpec());
    {
        const RunLock lock = RunLock::acquire(run.folder(), 1);
        EventWriter writer = EventWriter::open(run.folder(), 1);
        writer.append(0, StartedEvent{});
        writer.append(5, CommandEvent{.id = "a", .command = "set", .detail = "optimizer.learning_rate: 0.004 → 0.001"});
        writer.append(5,
                      CommandEvent{.id = "b", .command = "set", .accepted = false, .detail = "training.seed: 1 → 2"});
        writer.append(
            5, CommandEvent{.id = "c", .command = "set", .detail = "checkpoint.checkpoint_interval: 100 → \"10min\""});
        writer.append(5, ResumedEvent{.changed = {"training.steps: 900 → 1200"}});
        writer.append(5, ResumedEvent{.changed = {"training.steps: 1200 → 1500"}});
        writer.sync();
    }
    const RunSpec spec = effectiveSpec(run.folder(), startedSpec());
    EXPECT_EQ(spec.optimizer.learningRate, 0.001);
    EXPECT_EQ(spec.checkpoint.interval, (Interval{Interval::Unit::seconds, 600}));
    EXPECT_EQ(spec.training.steps, 1500);
    EXPECT_EQ(spec.training.seed, startedSpec().training.seed);
}

TEST(ResumeRun, ChangeLinesAreReadFromTheEnd) {
    EXPECT_EQ(parseChange("sampling.prompt: \"a: b\" → \"c\""),
              (std::pair<std::string, std::string>{"sampling.prompt", "\"c\""}));
    EXPECT_FALSE(parseChange("training.steps has this value already"));
}

TEST(ResumeRun, ResolvingIsDoneOnceAndForAll) {
    const RunSpec spec = startedSpec();
    EXPECT_EQ(spec.model.vocabularySize, 384);
    EXPECT_GT(spec.training.threads, 0);
    EXPECT_EQ(spec.parallel.microBatchSize, spec.training.batchSize);
    EXPECT_EQ(spec.training.device, DeviceChoice::cpu);
    EXPECT_EQ(resolveSpec(spec), spec);
}

}  // namespace
}  // namespace unmask
