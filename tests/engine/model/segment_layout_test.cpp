// SPDX-License-Identifier: Apache-2.0
#include "engine/model/segment_layout.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

TEST(SegmentLayout, RowsMayNotBeCrossed) {
    EXPECT_NO_THROW(checkSegments(SegmentLayout::wholeRows(3, 5)));
    EXPECT_NO_THROW(checkSegments({2, 13, {{0, 5}, {5, 1}, {7, 4}, {13, 13}}}));
    EXPECT_THROW(checkSegments({2, 5, {{3, 4}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{0, 3}, {2, 2}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{0, 0}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{8, 3}}}), Error);
    EXPECT_THROW(checkSegments({2, 5, {{-1, 2}}}), Error);
}

}  // namespace
}  // namespace unmask
