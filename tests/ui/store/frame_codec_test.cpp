// SPDX-License-Identifier: Apache-2.0
#include "ui/store/frame_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace unmask::ui {
namespace {

std::vector<Frame> someFrames(size_t count) {
    std::vector<Frame> frames(count);
    for (size_t i = 0; i < count; ++i) {
        const auto n = static_cast<qint64>(i);
        frames[i] = {n + 1, n * 2, n * 100, static_cast<double>(n) / 3, 1'700'000'000'000'000'000 + n, i % 5 == 0, {}};
        frames[i].points.emplace_back(0, static_cast<double>(n));
        if (i % 3 == 0)
            frames[i].points.emplace_back(7, -static_cast<double>(n));
    }
    return frames;
}

TEST(FrameCodec, PointsKeepNanAndInfinities) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<Point> points{{0, std::nan("")}, {3, infinity}, {65000, -infinity}, {9, 0.1}};
    const auto back = decodePoints(encodePoints(points));
    ASSERT_EQ(back.size(), 4u);
    EXPECT_TRUE(std::isnan(back[0].second));
    EXPECT_EQ(back[1], points[1]);
    EXPECT_EQ(back[2], points[2]);
    EXPECT_EQ(back[3], points[3]);
}

TEST(FrameCodec, ColumnsMakeARoundTrip) {
    const auto frames = someFrames(4096);
    const FrameColumns columns = decodeFrames(encodeFrames(frames));
    ASSERT_EQ(columns.size(), frames.size());
    for (size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(columns.seq[i], frames[i].seq);
        EXPECT_EQ(columns.step[i], frames[i].step);
        EXPECT_EQ(columns.tokens[i], frames[i].tokens);
        EXPECT_EQ(columns.elapsed[i], frames[i].elapsed);
        EXPECT_EQ(columns.wallNs[i], frames[i].wallNs);
        EXPECT_EQ(columns.superseded[i] != 0, frames[i].superseded);
    }
}

TEST(FrameCodec, DenseAndSparseSeries) {
    const auto frames = someFrames(10);
    std::vector<std::pair<size_t, double>> dense, sparse;
    decodeSeries(encodeSeries(frames, 0), 10, [&](size_t i, double v) { dense.emplace_back(i, v); });
    decodeSeries(encodeSeries(frames, 7), 10, [&](size_t i, double v) { sparse.emplace_back(i, v); });
    ASSERT_EQ(dense.size(), 10u);
    EXPECT_EQ(dense[9], (std::pair<size_t, double>{9, 9.0}));
    EXPECT_EQ(sparse, (std::vector<std::pair<size_t, double>>{{0, -0.0}, {3, -3.0}, {6, -6.0}, {9, -9.0}}));
    EXPECT_TRUE(encodeSeries(frames, 5).isEmpty());
}

TEST(FrameCodec, DamagedBlobsAreRefused) {
    const auto frames = someFrames(10);
    const auto ignore = [](size_t, double) {};
    EXPECT_THROW(decodeFrames(encodeFrames(frames).chopped(1)), StoreError);
    EXPECT_THROW(decodeFrames({}), StoreError);
    EXPECT_THROW(decodePoints(QByteArray(11, 'x')), StoreError);
    EXPECT_THROW(decodeSeries(encodeSeries(frames, 0).chopped(8), 10, ignore), StoreError);
    EXPECT_THROW(decodeSeries(encodeSeries(frames, 0), 9, ignore), StoreError);
    EXPECT_THROW(decodeSeries(QByteArray(9, '\x05'), 1, ignore), StoreError);
}

}  // namespace
}  // namespace unmask::ui
