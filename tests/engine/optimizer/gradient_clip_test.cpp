// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/optimizer/gradient_clip.h"

namespace unmask {
namespace {

TEST(GradientClip, LimitsTheNorm) {
    EXPECT_DOUBLE_EQ(clipFactor(4, 1), 0.25);
    EXPECT_DOUBLE_EQ(clipFactor(0.5, 1), 1);
    EXPECT_DOUBLE_EQ(clipFactor(4, 0), 1);
}

}  // namespace
}  // namespace unmask
