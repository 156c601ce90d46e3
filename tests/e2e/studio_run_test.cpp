// SPDX-License-Identifier: Apache-2.0
// From the Start button to a curve that survives whatever is done to the window.
#include <signal.h>

#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QTableView>
#include <algorithm>
#include <fstream>

#include "app/latency_watch.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_state.h"
#include "tests/e2e/studio_support.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/live_page.h"
#include "ui/pages/new_run_page.h"

using namespace unmask;
using namespace unmask::ui;

namespace unmask::test {
namespace {

using StudioRunTest = StudioTest;

TEST_F(StudioRunTest, FirstPointWithinTenSecondsOfStart) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    QElapsedTimer clock;
    clock.start();
    startRun({{"training.steps", "200"}});
    const double seconds = static_cast<double>(clock.elapsed()) / 1000;
    RecordProperty("first_point_seconds", std::to_string(seconds));
    std::printf("first point %.1f s after the click\n", seconds);
    EXPECT_LE(seconds, 10);
    EXPECT_EQ(studio().window().currentPage(), PageId::live);
}

TEST_F(StudioRunTest, TrainingGoesOnWithoutTheWindow) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    startRun({{"training.steps", "100000"}});
    ASSERT_TRUE(waitForStep(20));
    const RunFolder folder = runFolder();
    closeStudio();
    const int64_t before = summariseJournal(folder).lastStep;
    ASSERT_TRUE(QTest::qWaitFor([&] { return summariseJournal(folder).lastStep > before + 20; }, 60'000));
    openStudio();
    studio().window().showPage(PageId::live);  // opens what is training by itself
    ASSERT_TRUE(waitForStep(before));
    expectWholeCurve();
}

TEST_F(StudioRunTest, PauseCheckpointStopAndResumeFromTheWindow) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    startRun({{"training.steps", "100000"}});
    ASSERT_TRUE(waitForStep(10));
    click("pauseButton");
    ASSERT_TRUE(waitForWord(RunWord::paused));
    const int64_t pausedAt = summariseJournal(runFolder()).lastStep;
    ASSERT_TRUE(waitForStep(pausedAt));
    QTest::qWait(1500);
    EXPECT_EQ(summariseJournal(runFolder()).lastStep, pausedAt) << "it trained while paused";
    EXPECT_EQ(session().series().columns(QStringLiteral("train/loss")).step.back(), static_cast<double>(pausedAt));
    click("pauseButton");
    ASSERT_TRUE(waitForWord(RunWord::running));
    click("checkpointButton");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !summariseJournal(runFolder()).savedCheckpoints.empty(); }, 20'000));
    click("stopButton");
    click("stopAndSave");
    ASSERT_TRUE(waitForWord(RunWord::stopped));
    const int64_t stoppedAt = summariseJournal(runFolder()).lastStep;
    expectWholeCurve();
    click("pauseButton");  // reads Resume now
    ASSERT_TRUE(waitForWord(RunWord::running));
    ASSERT_TRUE(waitForStep(stoppedAt + 5));
    expectWholeCurve();
}

TEST_F(StudioRunTest, StopWithoutSavingLosesOnlyWhatItSaid) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    startRun({{"training.steps", "100000"}, {"checkpoint.checkpoint_interval", "15"}});
    ASSERT_TRUE(waitForStep(20));
    click("stopButton");
    click("stopWithoutSaving");
    ASSERT_TRUE(waitForWord(RunWord::stopped));
    click("pauseButton");
    ASSERT_TRUE(waitForWord(RunWord::running));
    ASSERT_TRUE(waitForStep(summariseJournal(runFolder()).lastStep + 5));
    expectWholeCurve();
}

// What a step costs where nothing else wants its core: a quarter of the steps took no longer. An engine that waited for
// its viewers would be slower in each step.
double undisturbedStepSeconds(const RunFolder& folder, int64_t afterStep) {
    std::vector<double> seconds;
    double last = 0;
    EventReader reader(folder);
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords()) {
        for (const EventRecord& record : records) {
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (!metrics || !metrics->values.contains("train/loss"))
                continue;
            if (last > 0 && record.step > afterStep)
                seconds.push_back(metrics->elapsedSeconds - last);
            last = metrics->elapsedSeconds;
        }
    }
    const auto quarter = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 4);
    std::nth_element(seconds.begin(), quarter, seconds.end());
    return seconds.empty() ? 0 : *quarter;
}

// The real program, killed without warning again and again while the run goes on.
TEST_F(StudioRunTest, KilledAndReopenedTwentyTimes) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    startRun({{"training.steps", "100000"}, {"training.threads", "1"}});
    const RunFolder folder = runFolder();
    closeStudio();
    const int64_t from = summariseJournal(folder).lastStep;
    ASSERT_TRUE(QTest::qWaitFor([&] { return summariseJournal(folder).lastStep >= from + 40; }, 60'000));
    const double alone = undisturbedStepSeconds(folder, from);
    const int64_t before = summariseJournal(folder).lastStep;
    for (int i = 0; i < 20; ++i) {
        QProcess program;
        program.start(
            QStringLiteral(UNMASK_BINARY_DIR "/bin/unmask-studio"),
            {QStringLiteral("--language"), QStringLiteral("en"), QString::fromStdString(folder.path.string())});
        ASSERT_TRUE(program.waitForStarted());
        QTest::qWait(300 + 97 * i % 900);
        ASSERT_EQ(program.state(), QProcess::Running) << program.readAllStandardError().toStdString();
        kill(static_cast<pid_t>(program.processId()), SIGKILL);
        program.waitForFinished();
    }
    EXPECT_EQ(RunObserver(folder).observe().word, RunWord::running);
    const double watched = undisturbedStepSeconds(folder, before);
    std::printf("a step takes %.1f ms alone, %.1f ms while studios come and go\n", alone * 1000, watched * 1000);
    EXPECT_LT(watched, 1.5 * alone);
    CommandLine line;
    line.paths = {QString::fromStdString(folder.path.string())};
    openStudio(line);
    ASSERT_TRUE(waitForStep(summariseJournal(folder).lastStep));
    expectWholeCurve();
}

TEST_F(StudioRunTest, TwoRunsStandSideBySide) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    startRun({{"training.steps", "40"}, {"launch.name", "pair"}});
    ASSERT_TRUE(waitForWord(RunWord::finished, 60'000));
    const QString first = session().row().key;
    startRun({{"optimizer.learning_rate", "0.001"}, {"training.steps", "40"}, {"launch.name", "pair"}});
    ASSERT_TRUE(waitForWord(RunWord::finished, 60'000));
    studio().window().comparePage().compare({first, session().row().key});
    studio().window().showPage(PageId::compare);
    auto* settings = find<QTableView>("differenceTable");
    // The two runs are read one after the other.
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return settings->model()->columnCount() == 3 && settings->model()->rowCount() > 0; }, 10'000));
    EXPECT_EQ(settings->model()->rowCount(), 1) << "only the learning rate differs";
}

}  // namespace
}  // namespace unmask::test
