// SPDX-License-Identifier: Apache-2.0
// What `train` and `start` share before and while the worker runs, without the program around it.
#include <gmock/gmock.h>
#include <signal.h>

#include <CLI/CLI.hpp>

#include "engine/cli/journal_watch.h"
#include "engine/cli/prepare_data.h"
#include "engine/cli/prepare_run.h"
#include "engine/cli/progress_view.h"
#include "engine/cli/run_options.h"
#include "engine/cli/supervise_loop.h"
#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"
#include "engine/protocol/presets.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(RunOptions, FolderAndResumeBesideTheSpec) {
    RunArguments arguments;
    CLI::App app;
    addRunOptions(app, arguments);
    app.parse(std::vector<std::string>{"7", "--steps", "--resume", "Lauf ä", "--run"});  // CLI11 takes the last first
    EXPECT_EQ(arguments.folder, "Lauf ä");
    EXPECT_TRUE(arguments.resume);
    EXPECT_EQ(arguments.spec.settings.size(), 1U);
}

TEST(PrepareData, WhatWasLeftOutIsListedUpToALimit) {
    ImportReport report;
    report.documents = 1;
    report.files.push_back({.path = "/x/bad.jsonl"});
    for (int64_t line = 1; line <= 7; ++line)
        report.addBadLine({.file = 0, .line = line, .reason = BadLineReason::duplicateKey});
    report.notes.emplace_back("a mark was removed");
    const auto lines = describeImport(report, 2);
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_THAT(lines[0], HasSubstr("1 document,"));
    EXPECT_EQ(lines[1], "Note: a mark was removed");
    EXPECT_THAT(lines[2], HasSubstr("Left out 7 lines"));
    EXPECT_THAT(lines[4], HasSubstr("bad.jsonl:2"));
    EXPECT_EQ(lines[5], "  …");
}

TEST(PrepareRun, AllErrorsInOneSentenceAndWarningsSaid) {
    std::vector<std::string> said;
    const auto say = [&said](const std::string& line) { said.push_back(line); };
    const std::vector<Problem> problems{{"a.b", Severity::error, "is wrong", ""},
                                        {"c.d", Severity::warning, "is odd", ""},
                                        {"", Severity::error, "all is wrong", ""}};
    try {
        refuseProblems(problems, say);
        FAIL() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "[cli] a.b: is wrong; all is wrong");
    }
    EXPECT_THAT(said, ElementsAre("Warning: c.d: is odd"));
}

TEST(PrepareRun, OnlyARunWithoutAnyRecordIsTakenBack) {
    const test::TempRun run;
    PreparedRun prepared;
    prepared.plan.folder = run.folder();
    EXPECT_FALSE(withdrawRun(prepared)) << "it was not made here";
    prepared.createdHere = true;
    {
        const RunLock lock = RunLock::acquire(run.folder(), 1);
        EXPECT_FALSE(withdrawRun(prepared)) << "somebody trains it";
        EventWriter::open(run.folder(), 1).append(0, StartedEvent{});
    }
    EXPECT_FALSE(withdrawRun(prepared)) << "it has begun";
    std::filesystem::remove(run.folder().eventsFile());
    EXPECT_TRUE(withdrawRun(prepared));
    EXPECT_FALSE(std::filesystem::exists(run.folder().path));
}

TEST(JournalWatch, WakesAtOnceWhenTheJournalGrows) {
    const test::TempRun run;
    JournalWatch watch(run.folder());
    EXPECT_EQ(watch.wait(1, -1), JournalWatch::Wake::time);
    test::writeBytes(run.folder().eventsFile(), "x");
    EXPECT_EQ(watch.wait(50, -1, true), JournalWatch::Wake::time) << "not while it is to be ignored";
    EXPECT_EQ(watch.wait(5000, -1), JournalWatch::Wake::journal);
    EXPECT_EQ(watch.wait(1, -1), JournalWatch::Wake::time) << "one wake for all that happened";
}

TEST(ProgressView, PrintsSamplesAndWhatStays) {
    const test::TempRun run;
    const RunLock lock = RunLock::acquire(run.folder(), 1);
    EventWriter writer = EventWriter::open(run.folder(), 1);
    writer.append(0, StartedEvent{});
    ProgressView view(run.folder(), 10, 1);
    writer.append(1, MetricsEvent{.values = {{"train/loss", 2.5}}});
    writer.append(1, SampleEvent{.prompt = "Once ", .text = "upon\x1b[2J a time", .seconds = 1});
    writer.append(1, WarningEvent{.text = "the disk is nearly full"});
    writer.append(1, CheckpointEvent{.action = "bad", .folder = "step-20", .reason = "a byte is another"});
    writer.append(1, CheckpointEvent{.action = "quarantined", .folder = "step-30", .reason = "w holds NaN"});
    testing::internal::CaptureStdout();
    view.update();
    view.finish();
    const std::string shown = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(view.sawSample());
    EXPECT_THAT(shown, HasSubstr("Once upon\xEF\xBF\xBD[2J a time"));
    EXPECT_THAT(shown, HasSubstr("Warning: the disk is nearly full"));
    EXPECT_THAT(shown, HasSubstr("Checkpoint step-20 is damaged and passed over: a byte is another"));
    EXPECT_THAT(shown, HasSubstr("Checkpoint step-30 is kept apart and never gone on from: w holds NaN"));
    EXPECT_THAT(shown, HasSubstr("step 1/10 · loss 2.500"));
    EXPECT_THAT(shown, testing::Not(HasSubstr("Training"))) << "records before the start belong to earlier attempts";
}

TEST(SuperviseLoop, SignalsArePassedOnOnceAndCounted) {
    const test::TempRun run;
    setenv("UNMASK_WORKER", UNMASK_BINARY_DIR "/bin/fake-worker", 1);
    setenv("UNMASK_FAKE", "wait", 1);
    LaunchPlan plan;
    plan.folder = run.folder();
    Supervisor supervisor(findWorker(), plan, [](const std::string&) {});
    std::vector<std::pair<int, int>> heard;
    bool sent = false;
    superviseUntilEnd(
        supervisor,
        [&] {
            if (!sent && summariseJournal(run.folder()).lastStep > 3)
                sent = raise(SIGTERM) == 0;
        },
        [&](int signal, int count) { heard.emplace_back(signal, count); });
    unsetenv("UNMASK_WORKER");
    unsetenv("UNMASK_FAKE");
    EXPECT_THAT(heard, ElementsAre(std::pair{SIGTERM, 1}));
    EXPECT_EQ(supervisor.exitCode(), 27);
}

}  // namespace
}  // namespace unmask
