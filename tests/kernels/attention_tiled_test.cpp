// SPDX-License-Identifier: Apache-2.0
// What the tiles take; that they compute the same is held by attention_test.cpp, whose cases lie on both sides.
#include "kernels/attention/attention_tiled.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

TEST(TiledAttention, TakesHeadWidthsUpTo128InFours) {
    SKIP_WITHOUT_GPU();
    const auto takes = [](int D) { return attentionFitsTiles({.D = D}); };
    EXPECT_TRUE(takes(20));
    EXPECT_TRUE(takes(64));
    EXPECT_FALSE(takes(18));
    EXPECT_FALSE(takes(132));
}
