// SPDX-License-Identifier: Apache-2.0
#include "ui/models/end_words.h"

#include <gtest/gtest.h>

#include <QTranslator>

#include "ui/models/run_words.h"

namespace unmask::ui {
namespace {

constexpr const char* kOrdinary[] = {
    "all 1 update done",
    "all 900 updates done",
    "stopped by command at step 771",
    "stopped by command at step 771, without a checkpoint",
    "ended by Ctrl-C (SIGINT) at step 12",
    "ended by Ctrl-C (SIGINT) at step 12, without a checkpoint",
    "ended by Ctrl-C (SIGINT) before it had begun",
    "ended by SIGTERM at step 12",
    "ended by SIGTERM at step 12, without a checkpoint",
    "ended by SIGTERM before it had begun",
    "the training process was ended by SIGKILL (somebody killed it, or the system ran "
    "out of memory)",
    "the training process was ended by SIGSEGV (a fault of the program or the machine)",
    "the training process was ended by SIGHUP",
    "the training process ended with code 41 without saying why"};

bool isChinese(const QString& text) {
    return std::any_of(text.begin(), text.end(),
                       [](QChar c) { return c.unicode() >= 0x4E00 && c.unicode() <= 0x9FFF; });
}

TEST(EndWords, OrdinaryEndsAreKnownWithTheirFigures) {
    for (const char* reason : kOrdinary)
        EXPECT_FALSE(EndWords::known(QLatin1String(reason)).isEmpty()) << reason;
    EXPECT_EQ(EndWords::known(QStringLiteral("all 900 updates done")), QStringLiteral("All 900 steps are done."));
    const QString saved = EndWords::known(QStringLiteral("stopped by command at step 771"));
    const QString lost = EndWords::known(QStringLiteral("stopped by command at step 771, without a checkpoint"));
    EXPECT_TRUE(saved.contains(QStringLiteral("771")) && lost.contains(QStringLiteral("771")));
    EXPECT_NE(saved, lost) << "what was lost must not be left out";
    EXPECT_TRUE(EndWords::known(QStringLiteral("the training process was ended by SIGSEGV (a fault)"))
                    .contains(QStringLiteral("crashed (SIGSEGV)")));
}

TEST(EndWords, AFaultIsNamedAndTheEnginesSentenceKept) {
    const QString full = QStringLiteral("[journal] cannot write /x/events.jsonl: No space left on device");
    EXPECT_EQ(EndWords::known(full), QString());
    EXPECT_EQ(EndWords::sentence(RunWord::failed, full),
              QStringLiteral("The disk is full. (cannot write /x/events.jsonl: No space left on device)"));
    const QString memory = EndWords::sentence(RunWord::failed, QStringLiteral("[train] the GPU has no memory left; …"));
    EXPECT_TRUE(memory.startsWith(QStringLiteral("The GPU ran out of memory."))) << memory.toStdString();
    EXPECT_EQ(EndWords::sentence(RunWord::failed, QStringLiteral("[train] something new")),
              RunWords::stateMeaning(RunWord::failed) + QStringLiteral(" (something new)"));
    EXPECT_EQ(EndWords::sentence(RunWord::finished, {}), RunWords::stateMeaning(RunWord::finished));
}

TEST(EndWords, OfARunItIsTheEndRecordElseTheEvidenceAndNothingOldWhileItLives) {
    RunRow row;
    row.status.evidence = "process 12 is gone and left no end record";
    row.status.word = RunWord::interrupted;
    EXPECT_TRUE(EndWords::of(row).contains(QStringLiteral("process 12")));
    row.endReason = QStringLiteral("stopped by command at step 5");
    row.status.word = RunWord::running;
    EXPECT_EQ(EndWords::of(row), RunWords::stateMeaning(RunWord::running));
    row.status.word = RunWord::stopped;
    EXPECT_TRUE(EndWords::of(row).contains(QStringLiteral("step 5")));
    row.endReason.clear();
    row.status.word = RunWord::finished;
    EXPECT_EQ(EndWords::of(row), RunWords::stateMeaning(RunWord::finished));
}

TEST(EndWords, AreChineseInAChineseWindow) {
    QTranslator words;
    ASSERT_TRUE(words.load(QStringLiteral(UNMASK_BINARY_DIR "/app/i18n/unmask_zh_CN.qm")));
    QCoreApplication::installTranslator(&words);
    for (const char* reason : kOrdinary)
        EXPECT_TRUE(isChinese(EndWords::known(QLatin1String(reason)))) << reason;
    for (const char* reason : {"[gpu] cudaMalloc: out of memory", "[journal] x: No space left on device",
                               "[train] update 3 has a loss that is not a finite number, twice", "[train] a new one"})
        EXPECT_TRUE(isChinese(EndWords::sentence(RunWord::failed, QLatin1String(reason)).left(4))) << reason;
    QCoreApplication::removeTranslator(&words);
}

}  // namespace
}  // namespace unmask::ui
