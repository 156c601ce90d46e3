// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

TEST(CpuEmbedding, BackwardDoesNotDependOnThreads) {
    at::manual_seed(9);
    const at::Tensor tokens = at::zeros({5000}, at::TensorOptions().dtype(at::kLong));
    const at::Tensor gradient = single(random({5000, 48}));
    expectSameBitsWithAnyThreads([&] {
        const at::Tensor sums = at::zeros({2, 48}, float32());
        cpu::embeddingBackward(tokens, gradient, sums);
        return sums;
    });
}

TEST(CpuEmbedding, ColumnSumsAndRowBias) {
    at::manual_seed(10);
    const at::Tensor x = random({3000, 21});
    const at::Tensor sums = at::zeros({21}, float64());
    cpu::addColumnSums(x, sums, at::empty({at::get_num_threads() * 21}, float64()));
    expectClose(sums, x.sum(0), "sums", 1e-12);
    const at::Tensor y = at::zeros({3000, 21}, float64());
    cpu::addRowBias(sums, y);
    EXPECT_TRUE(at::equal(y, sums.expand({3000, 21})));
}

}  // namespace
}  // namespace unmask
