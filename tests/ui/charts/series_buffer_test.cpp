// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/series_buffer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ui/charts/chart_types.h"

namespace unmask::ui {
namespace {

PointBatch line(int from, int to, double value) {
    PointBatch batch;
    for (int step = from; step <= to; ++step)
        batch.push(step, step * 2048.0, step * 0.5, 1.7e9 + step * 0.6, value);
    return batch;
}

TEST(SeriesBuffer, ResumeReplacesTheTailAndKeepsItAside) {
    SeriesBuffer buffer;
    buffer.append(line(1, 500, 3));
    buffer.resumeFrom(400);
    EXPECT_EQ(buffer.size(), 400U);
    ASSERT_EQ(buffer.beforeResume().size(), 1U);
    EXPECT_EQ(buffer.beforeResume()[0].values.size(), 100U);
    EXPECT_EQ(buffer.beforeResume()[0].axis(XAxis::tokens).at(0), 401 * 2048.0);
    buffer.append(line(401, 600, 2));
    EXPECT_EQ(buffer.size(), 600U);
    EXPECT_EQ(buffer.axis(XAxis::step).at(599), 600) << "no gap and no double point";
    EXPECT_TRUE(buffer.axis(XAxis::step).ascending());
    EXPECT_EQ(buffer.joints(), std::vector<size_t>{400});
}

TEST(SeriesBuffer, ResumeBeforeAnOlderJointForgetsThatJoint) {
    SeriesBuffer buffer;
    buffer.append(line(1, 100, 3));
    buffer.resumeFrom(100);
    buffer.append(line(101, 200, 3));
    buffer.resumeFrom(50);
    EXPECT_EQ(buffer.joints(), std::vector<size_t>{50});
    EXPECT_EQ(buffer.size(), 50U);
    buffer.resumeFrom(0);
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_TRUE(buffer.joints().empty());
}

TEST(SeriesBuffer, SmoothingFollowsAResume) {
    SeriesBuffer buffer;
    const Smoothing smoothing{SmoothingKind::exponential, 0.9};
    buffer.append(line(1, 100, 3));
    EXPECT_EQ(buffer.smoothed(smoothing, XAxis::step).at(99), 3);
    buffer.append(line(101, 200, 9));
    buffer.smoothed(smoothing, XAxis::step);
    buffer.resumeFrom(100);
    buffer.append(line(101, 110, 3));
    EXPECT_EQ(buffer.smoothed(smoothing, XAxis::step).at(109), 3) << "nothing of the old tail remains in the average";
}

TEST(SeriesBuffer, NearestOnEveryAxis) {
    SeriesBuffer buffer;
    buffer.append(line(1, 1000, 3));
    EXPECT_EQ(buffer.nearest(XAxis::step, 700.4), 699U);
    EXPECT_EQ(buffer.nearest(XAxis::tokens, 700 * 2048.0 + 1200), 700U);
    EXPECT_EQ(buffer.nearest(XAxis::activeTime, -5), 0U);
    EXPECT_EQ(buffer.nearest(XAxis::wallClock, 1e12), 999U);
    EXPECT_FALSE(buffer.nearest(XAxis::step, NAN).has_value());
    EXPECT_FALSE(SeriesBuffer().nearest(XAxis::step, 1).has_value());
}

TEST(SeriesBuffer, EveryChangeHasItsVersion) {
    SeriesBuffer buffer;
    const uint64_t first = buffer.version();
    buffer.append(line(1, 2, 3));
    const uint64_t second = buffer.version();
    buffer.clear();
    EXPECT_LT(first, second);
    EXPECT_LT(second, buffer.version());
    EXPECT_EQ(buffer.size(), 0U);
}

}  // namespace
}  // namespace unmask::ui
