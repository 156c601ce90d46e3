// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/op_times.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(OpTimes, NobodyMeasuresUnlessAsked) {
    bool named = false;
    bool worked = false;
    ops::timed(
        [&] {
            named = true;
            return std::string("x");
        },
        [&] { worked = true; });
    EXPECT_TRUE(worked);
    EXPECT_FALSE(named) << "names cost time and are made only for a measurement";
}

TEST(OpTimes, AddsCallsOfOneNameUp) {
    if (const std::string problem = gpuProblem(); !problem.empty())
        GTEST_SKIP() << problem;
    openGpu();
    const at::Tensor x = at::zeros({1 << 24}, at::TensorOptions().device(at::kCUDA));
    OpTimes times;
    OpTimes::current() = &times;
    for (int i = 0; i < 3; ++i)
        ops::timed([] { return ops::shapeName("fill", 4, 5); }, [&] { x.fill_(1); });
    OpTimes::current() = nullptr;
    const std::vector<OpTime> totals = times.totals();
    ASSERT_EQ(totals.size(), 1u);
    EXPECT_EQ(totals[0].name, "fill 4×5");
    EXPECT_EQ(totals[0].calls, 3);
    EXPECT_GT(totals[0].seconds, 0);
}

}  // namespace
}  // namespace unmask
