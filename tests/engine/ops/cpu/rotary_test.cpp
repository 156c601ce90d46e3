// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

TEST(CpuRotary, TurningBackRestoresTheHeads) {
    at::manual_seed(61);
    const int64_t length = 513, d = 64;
    const at::Tensor table = at::empty({length, d}, float32());
    cpu::rotaryTable(table, 10000);
    const at::Tensor positions = positionsOf(SegmentLayout::wholeRows(1, length));
    const at::Tensor x = single(random({length, 2 * d}));
    const at::Tensor turned = x.clone();
    RotaryArgs args;
    args.x = turned;
    args.positions = positions;
    args.table = table;
    args.headWidth = d;
    cpu::rotaryForward(args);
    EXPECT_GT((turned - x).abs().max().item<float>(), 0.5);
    EXPECT_TRUE(at::equal(turned.narrow(0, 0, 1), x.narrow(0, 0, 1)));  // position 0 does not turn
    RotaryBackwardArgs back;
    back.gradient = turned;
    back.positions = positions;
    back.table = table;
    back.headWidth = d;
    cpu::rotaryBackward(back);
    expectFollows(turned, x.to(at::kDouble), "there and back");
}

// The table is computed in double: fp32 angles would be wrong by 1e-4 at position 1000 already.
TEST(CpuRotary, TableIsExactAtLargePositions) {
    const at::Tensor table = at::empty({100'001, 4}, float32());
    cpu::rotaryTable(table, 10000);
    const at::Tensor last = table.narrow(0, 100'000, 1).flatten();
    EXPECT_NEAR(last[0].item<float>(), std::cos(100'000.0), 1e-7);
    EXPECT_NEAR(last[1].item<float>(), std::cos(1'000.0), 1e-7);
    EXPECT_NEAR(last[2].item<float>(), std::sin(100'000.0), 1e-7);
}

}  // namespace
}  // namespace unmask
