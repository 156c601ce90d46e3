// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_history.h"

#include <gtest/gtest.h>

#include "engine/journal/event_writer.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

TEST(RunHistory, KeepsWhatAResumeHasNotSuperseded) {
    const test::TempRun run;
    auto journal = EventWriter::open(run.folder(), 1);
    const auto point = [&](int64_t step, double loss) {
        journal.append(step, MetricsEvent{.values = {{"train/loss", loss}, {"train/tokens_per_second", 5}}});
    };
    for (int64_t step = 1; step <= 5; ++step)
        point(step, static_cast<double>(step));
    journal.append(3, ResumedEvent{.fromStep = 3});
    point(4, 40);
    point(5, 50);
    const auto points = pastPoints(run.folder(), 4);
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(points[2].values, (std::map<std::string, double>{{"train/loss", 3}}));
    EXPECT_EQ(points[3].values.at("train/loss"), 40);
    EXPECT_TRUE(pastPoints(run.folder(), 0).empty());
}

}  // namespace
}  // namespace unmask
