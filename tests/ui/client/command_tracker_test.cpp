// SPDX-License-Identifier: Apache-2.0
#include "ui/client/command_tracker.h"

#include <gtest/gtest.h>

#include "tests/ui/support/wait_for.h"

namespace unmask::ui {
namespace {

Command pauseCommand(const char* id) {
    Command command;
    command.id = id;
    command.kind = CommandKind::pause;
    return command;
}

struct Told {
    explicit Told(CommandTracker& tracker) {
        QObject::connect(&tracker, &CommandTracker::changed, &tracker,
                         [this](const CommandProgress& progress) { all.push_back(progress); });
    }
    std::vector<CommandProgress> all;
};

TEST(CommandTracker, FromAskedToDone) {
    CommandTracker tracker;
    const Told told(tracker);
    tracker.asked(pauseCommand("a"));
    EXPECT_EQ(tracker.open().size(), 1u);
    tracker.answered(QStringLiteral("other"), true, 3, {});
    tracker.answered(QStringLiteral("a"), true, 8431, QStringLiteral("paused"));
    tracker.answered(QStringLiteral("a"), true, 9999, {});
    ASSERT_EQ(told.all.size(), 2u);
    EXPECT_EQ(told.all[0].phase, CommandPhase::asked);
    EXPECT_EQ(told.all[1].phase, CommandPhase::done);
    EXPECT_EQ(told.all[1].step, 8431);
    EXPECT_TRUE(tracker.open().empty());
}

TEST(CommandTracker, SilenceIsToldOnceAndALateAnswerStillCounts) {
    CommandTracker tracker(std::chrono::milliseconds(40));
    const Told told(tracker);
    tracker.asked(pauseCommand("a"));
    ASSERT_TRUE(test::waitFor([&] { return told.all.size() == 2; }));
    EXPECT_EQ(told.all[1].phase, CommandPhase::unanswered);
    test::waitFor([] { return false; }, 100);
    EXPECT_EQ(told.all.size(), 2u);
    tracker.answered(QStringLiteral("a"), false, 5, QStringLiteral("no"));
    ASSERT_EQ(told.all.size(), 3u);
    EXPECT_EQ(told.all[2].phase, CommandPhase::refused);
    EXPECT_EQ(told.all[2].detail, QStringLiteral("no"));
}

}  // namespace
}  // namespace unmask::ui
