// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_words.h"

#include <gtest/gtest.h>

#include <set>

namespace unmask::ui {
namespace {

TEST(RunWords, EachStateHasAWordAndAMeaning) {
    std::set<QString> words, meanings;
    for (int i = 0; i <= static_cast<int>(RunWord::finished); ++i) {
        words.insert(RunWords::state(static_cast<RunWord>(i)));
        meanings.insert(RunWords::stateMeaning(static_cast<RunWord>(i)));
    }
    EXPECT_EQ(words.size(), 9u);
    EXPECT_EQ(meanings.size(), 9u);
    EXPECT_FALSE(words.count(QString()));
    EXPECT_FALSE(meanings.count(QString()));
}

template <size_t... I>
void eachKindHasWords(std::index_sequence<I...>) {
    const auto check = [](const Event& event) {
        if (std::holds_alternative<MetricsEvent>(event) || std::holds_alternative<DeviceEvent>(event) ||
            std::holds_alternative<UnknownEvent>(event))
            return;
        EXPECT_FALSE(RunWords::eventKind(kindOf(event)).isEmpty());
        RunWords::eventSummary({1, 1, "", 1, event});
    };
    (check(std::variant_alternative_t<I, Event>{}), ...);
}

TEST(RunWords, EachEventKindHasWords) {
    eachKindHasWords(std::make_index_sequence<std::variant_size_v<Event>>());
}

TEST(RunWords, ADeviceIsNamedAsTheEngineNamesIt) {
    for (const char* name : {"CPU, 1 thread", "CPU, 16 threads", "NVIDIA H200", ""})
        EXPECT_EQ(RunWords::device(QString::fromLatin1(name)), QString::fromLatin1(name));
}

TEST(RunWords, SummariesAndUnknownWords) {
    EXPECT_EQ(RunWords::eventSummary({1, 1, "", 100, CheckpointEvent{"saved", "step-100", "", "", 1 << 20}}),
              QStringLiteral("Saved step-100 (1.0 MiB)"));
    EXPECT_EQ(RunWords::phase(QStringLiteral("training")), QStringLiteral("training"));
    EXPECT_EQ(RunWords::phase(QStringLiteral("pondering")), QStringLiteral("pondering"));
    CommandProgress progress;
    progress.command.kind = CommandKind::pause;
    progress.phase = CommandPhase::done;
    progress.step = 8431;
    EXPECT_TRUE(RunWords::commandProgress(progress).startsWith(QStringLiteral("Pause: done at step 8")));
}

}  // namespace
}  // namespace unmask::ui
