// SPDX-License-Identifier: Apache-2.0
#include "engine/train/due.h"

#include <gtest/gtest.h>

#include <thread>

namespace unmask {
namespace {

std::vector<int64_t> dueSteps(Due& due, int64_t from, int64_t to) {
    std::vector<int64_t> steps;
    due.startAt(from);
    for (int64_t step = from; step <= to; ++step)
        if (due.due(step))
            steps.push_back(step);
    return steps;
}

TEST(Due, StepsAndNotTheStepItStartsFrom) {
    const TrainingClock clock;
    const auto interval = Interval::steps(10);
    Due due(interval, 100, clock);
    EXPECT_EQ(dueSteps(due, 0, 35), (std::vector<int64_t>{10, 20, 30}));
    EXPECT_EQ(dueSteps(due, 20, 35), (std::vector<int64_t>{30}));
    EXPECT_EQ(dueSteps(due, 25, 35), (std::vector<int64_t>{30}));
}

TEST(Due, EpochsAndTheirParts) {
    const TrainingClock clock;
    Interval interval{Interval::Unit::epochs, 1};
    Due due(interval, 7, clock);
    EXPECT_EQ(dueSteps(due, 0, 22), (std::vector<int64_t>{7, 14, 21}));
    interval.amount = 0.5;  // read anew each time: a changed setting takes effect at once
    EXPECT_EQ(dueSteps(due, 0, 14), (std::vector<int64_t>{4, 7, 11, 14}));
}

TEST(Due, OnceAStepAndNeverMeansNever) {
    const TrainingClock clock;
    auto interval = Interval::steps(1);
    Due due(interval, 7, clock);
    due.startAt(0);
    EXPECT_TRUE(due.due(1));
    EXPECT_FALSE(due.due(1));  // asked again while paused
    interval = Interval::never();
    EXPECT_FALSE(due.due(2));
}

TEST(Due, TimeIsTrainingTime) {
    TrainingClock clock;
    clock.start(0);
    const Interval interval{Interval::Unit::seconds, 0.02};
    Due due(interval, 7, clock);
    due.startAt(0);
    EXPECT_FALSE(due.due(1));
    clock.pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    EXPECT_FALSE(due.due(2));
    clock.resume();
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    EXPECT_TRUE(due.due(3));
    EXPECT_FALSE(due.due(4));
}

}  // namespace
}  // namespace unmask
