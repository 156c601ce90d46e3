// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/float_copies.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

struct Args {
    at::Tensor x, y, count;
};

class FloatCopiesTest : public testing::Test {
 protected:
    void TearDown() override { deviceOptions().exactOps = 0; }
    at::Tensor m_rows = at::full({4, 8}, 3.0, at::TensorOptions().dtype(at::kBFloat16));
    Args m_args{m_rows.narrow(1, 0, 4), m_rows.narrow(1, 4, 4), at::zeros({4}, at::TensorOptions().dtype(at::kInt))};
};

TEST_F(FloatCopiesTest, AnOperationThatNobodyNamedRunsAsItIs) {
    ops::exactly(ExactOp::norm, m_args, {&Args::x, &Args::y}, [&](const Args& args) {
        EXPECT_EQ(args.x.scalar_type(), at::kBFloat16);
        EXPECT_TRUE(args.x.is_same(m_args.x));
    });
}

TEST_F(FloatCopiesTest, ANamedOneSeesFloatsAndItsResultIsRoundedBack) {
    deviceOptions().exactOps = 1u << static_cast<unsigned>(ExactOp::norm);
    ops::exactly(ExactOp::norm, m_args, {&Args::x, &Args::y, &Args::count}, [](const Args& args) {
        EXPECT_EQ(args.x.scalar_type(), at::kFloat);
        EXPECT_EQ(args.count.scalar_type(), at::kInt);
        args.y.add_(args.x, 0.001);
    });
    EXPECT_EQ(m_rows[0][7].item<float>(), 3.0f) << "3.003 is 3 in bfloat16";
    ops::exactly(ExactOp::norm, m_args, {&Args::x, &Args::y},
                 [](const Args& args) { args.y.add_(args.x).add_(0.0625); });
    EXPECT_EQ(m_rows[3][4].item<float>(), 6.0625f);
    EXPECT_EQ(m_rows[3][3].item<float>(), 3.0f);
}

TEST_F(FloatCopiesTest, ViewsOfTheSameValuesShareACopy) {
    deviceOptions().exactOps = 1u << static_cast<unsigned>(ExactOp::head);
    Args same{m_args.x, m_rows.narrow(1, 0, 4), {}};
    ops::exactly(ExactOp::head, same, {&Args::x, &Args::y, &Args::count}, [](const Args& args) {
        EXPECT_EQ(args.x.data_ptr(), args.y.data_ptr());
        EXPECT_FALSE(args.count.defined());
    });
}

}  // namespace
}  // namespace unmask
