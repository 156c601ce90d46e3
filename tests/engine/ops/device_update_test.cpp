// SPDX-License-Identifier: Apache-2.0
// What of the update needs no GPU: gradients set to 0, and arguments that do not meet. The rest is in cuda/.
#include "engine/ops/device_update.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

at::Tensor ones(int64_t count) {
    return at::full({count}, 1.0, at::TensorOptions().dtype(at::kFloat));
}

// Two slabs side by side in one block, one elsewhere; what lies round them stays.
TEST(ZeroGradients, ReachesEverySlabAndNothingElse) {
    const at::Tensor block = ones(100), other = ones(7);
    const std::vector<Slab> slabs = {
        {"a", {}, block.narrow(0, 10, 30), 0, {}}, {"b", {}, block.narrow(0, 40, 50), 0, {}}, {"c", {}, other, 0, {}}};
    zeroGradients(slabs);
    EXPECT_EQ(block.narrow(0, 10, 80).count_nonzero().item<int64_t>(), 0);
    EXPECT_EQ(block.count_nonzero().item<int64_t>(), 20);
    EXPECT_EQ(other.count_nonzero().item<int64_t>(), 0);
    zeroGradients({});
    EXPECT_THROW(zeroGradients({{"none", ones(8), {}, 0, {}}}), Error);
}

TEST(DeviceUpdate, ArgumentsThatDoNotMeetAreRefused) {
    const Slab slab{"a", ones(8), ones(8), 8, {}};
    DeviceUpdateArgs args;
    EXPECT_THROW(deviceUpdate({}, args), Error);
    EXPECT_THROW(deviceUpdate({slab}, args), Error);  // no moments
    args.m = {ones(8)}, args.v = {ones(16)};
    EXPECT_THROW(deviceUpdate({slab}, args), Error);  // of another length
}

TEST(StepRecord, ArgumentsThatDoNotMeetAreRefused) {
    EXPECT_THROW(recordStep({ones(3), ones(4), ones(2)}), Error);
    const at::Tensor counter = at::zeros({1}, at::TensorOptions().dtype(at::kLong));
    const auto bytes = [](int64_t count) { return at::zeros({count}, at::TensorOptions().dtype(at::kByte)); };
    EXPECT_THROW(closeStep(ones(1), ones(2), bytes(33), counter), Error);
    EXPECT_THROW(closeStep(ones(1), ones(2), bytes(32), ones(1)), Error);
    EXPECT_THROW(closeStep(ones(1), ones(3), bytes(32), counter), Error);
}

}  // namespace
}  // namespace unmask
