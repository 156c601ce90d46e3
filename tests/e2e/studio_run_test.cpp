// SPDX-License-Identifier: Apache-2.0
// From the Start button to a curve that survives whatever is done to the window.
#include <signal.h>

#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QTableView>
#include <fstream>

#include "app/latency_watch.h"
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
    QTest::qWait(3000);
    EXPECT_GT(summariseJournal(folder).lastStep, before);
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
    QTest::qWait(500);
    const double paused = session().series().lastValue("train/loss");
    QTest::qWait(1500);
    EXPECT_EQ(session().series().lastValue("train/loss"), paused) << "it trained while paused";
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

// The real program, killed without warning again and again while the run goes on.
TEST_F(StudioRunTest, KilledAndReopenedTwentyTimes) {
    UNMASK_NEEDS_ENGINE();
    openStudio();
    startRun({{"training.steps", "100000"}});
    const RunFolder folder = runFolder();
    closeStudio();
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
