// SPDX-License-Identifier: Apache-2.0
#include "engine/train/control.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/engine/train/run_journal.h"

namespace unmask {
namespace {

class ControlTest : public testing::Test {
 protected:
    ControlTest() {
        m_clock.start(0);
        m_control.onSetting([this](const Command& command, std::string& detail) -> Outcome {
            ++m_settings;
            if (command.setting == "wrong")
                return Error{ErrorCode::badInput, "no such setting"};
            detail = command.setting + " set";
            return Nothing{};
        });
    }
    static Command command(const std::string& id, CommandKind kind) { return {.id = id, .kind = kind}; }
    std::vector<CommandEvent> answers() { return test::eventsOf<CommandEvent>(m_run); }

    test::TempRun m_run;
    EventWriter m_journal = EventWriter::open(m_run.folder(), 1);
    TrainingClock m_clock;
    Control m_control{m_journal, m_clock, {}};
    int m_settings = 0;
};

TEST_F(ControlTest, WishesAreHandedOverOnceAndAnsweredByTheLoop) {
    m_control.submit(command("a", CommandKind::checkpoint));
    m_control.submit(command("b", CommandKind::sample));
    m_control.submit(command("a", CommandKind::checkpoint));  // still pending: not taken twice
    const Wishes wishes = m_control.agree(7);
    ASSERT_EQ(wishes.checkpoints.size(), 1u);
    EXPECT_EQ(wishes.samples.size(), 1u);
    EXPECT_FALSE(wishes.stop);
    EXPECT_TRUE(answers().empty());
    m_control.answer(wishes.checkpoints[0], true, "saved step-7");
    EXPECT_TRUE(m_control.agree(8).checkpoints.empty());
    m_control.submit(command("a", CommandKind::checkpoint));  // answered again, not acted on twice
    EXPECT_TRUE(m_control.agree(9).checkpoints.empty());
    const auto all = answers();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], (CommandEvent{"a", "checkpoint", true, "saved step-7"}));
    EXPECT_EQ(all[1], all[0]);
}

TEST_F(ControlTest, AnswersOfEarlierAttemptsCount) {
    Control later(m_journal, m_clock, {{"old", {"old", "stop", true, "stopping at step 5"}}});
    later.submit(command("old", CommandKind::stop));
    EXPECT_FALSE(later.agree(6).stop);
    EXPECT_EQ(answers().back().detail, "stopping at step 5");
    EXPECT_EQ(readAnswers(m_run.folder()).count("old"), 1u);
}

TEST_F(ControlTest, PauseWaitsAndStillCarriesOutWishes) {
    m_control.submit(command("p", CommandKind::pause));
    m_control.submit(command("c", CommandKind::checkpoint));
    Wishes wishes = m_control.agree(3);
    EXPECT_TRUE(wishes.paused);
    EXPECT_EQ(wishes.checkpoints.size(), 1u);
    std::atomic<bool> goneOn{false};
    std::thread loop([&] {
        wishes = m_control.agree(3);
        goneOn = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(goneOn);
    m_control.submit(command("r", CommandKind::resume));
    loop.join();
    EXPECT_FALSE(wishes.paused);
    const auto continued = test::eventsOf<ContinuedEvent>(m_run);
    ASSERT_EQ(continued.size(), 1u);
    EXPECT_GE(continued[0].pausedSeconds, 0.03);
    EXPECT_EQ(test::eventsOf<PausedEvent>(m_run).size(), 1u);
    EXPECT_LT(m_clock.elapsed(), 0.03);
}

TEST_F(ControlTest, StopEndsAPauseAndTheMoreCarelessWishWins) {
    m_control.submit(command("p", CommandKind::pause));
    m_control.submit(command("s", CommandKind::stop));
    Command now = command("n", CommandKind::stop);
    now.saveFirst = false;
    m_control.submit(now);
    const Wishes wishes = m_control.agree(3);
    EXPECT_TRUE(wishes.stop);
    EXPECT_FALSE(wishes.paused);
    EXPECT_FALSE(wishes.saveFirst);
    EXPECT_EQ(wishes.exitCode, ErrorCode::stopped);
    EXPECT_EQ(wishes.stops.size(), 2u);
}

TEST_F(ControlTest, SettingsAreAppliedOrRefusedInWords) {
    Command good = command("g", CommandKind::set), bad = command("b", CommandKind::set);
    good.setting = "training.steps";
    bad.setting = "wrong";
    m_control.submit(good);
    m_control.submit(bad);
    m_control.agree(1);
    EXPECT_EQ(m_settings, 2);
    EXPECT_EQ(answers(), (std::vector<CommandEvent>{{"g", "set", true, "training.steps set"},
                                                    {"b", "set", false, "no such setting"}}));
}

TEST_F(ControlTest, WhatComesTooLateIsAnswered) {
    m_control.submit(command("s", CommandKind::sample));
    m_control.submit(command("x", CommandKind::stop));
    m_control.refuseRest("the run has ended");
    ASSERT_EQ(answers().size(), 2u);
    EXPECT_FALSE(answers()[0].accepted);
    EXPECT_TRUE(answers()[1].accepted);  // what it asked for is what happened
}

}  // namespace
}  // namespace unmask
