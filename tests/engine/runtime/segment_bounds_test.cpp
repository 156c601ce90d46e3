// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/segment_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace unmask {
namespace {

TEST(SegmentBounds, QueriesAreTokensOrTheScoredRowsAmongThem) {
    const std::vector<Segment> segments{{0, 4}, {4, 3}, {10, 2}};
    const std::vector<int64_t> scored{1, 3, 8, 10, 11};  // 8 lies in no segment
    std::vector<int32_t> all(12), queries(12);
    writeSegmentBounds(segments, scored, all.data(), queries.data());
    EXPECT_THAT(all, testing::ElementsAre(0, 4, 0, 4, 4, 7, 4, 7, 10, 12, 10, 12));
    EXPECT_THAT(queries, testing::ElementsAre(0, 2, 0, 4, 2, 2, 4, 7, 3, 5, 10, 12));
}

}  // namespace
}  // namespace unmask
