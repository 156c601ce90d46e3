// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/embedding.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/zeros.h>

#include "engine/base/error.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuEmbedding : public GpuTest {};

at::TensorOptions int64s() {
    return at::TensorOptions().dtype(at::kLong);
}

struct Case {
    int64_t tokens, vocabulary, width;
};
constexpr Case kCases[] = {{1, 3, 8}, {333, 259, 128}, {4100, 384, 520}, {5000, 20304, 512}};

// Half of the tokens are the mask, the last id.
at::Tensor someTokens(const Case& c) {
    const at::Tensor tokens = at::randint(c.vocabulary, {c.tokens}, int64s());
    const at::Tensor masked = at::randint(2, {c.tokens}, int64s());
    return tokens * (1 - masked) + masked * (c.vocabulary - 1);
}

TEST_F(GpuEmbedding, LookupAndItsGradientMatchTheCpu) {
    for (const Types& types : mixtures())
        for (const Case& c : kCases) {
            SCOPED_TRACE(std::string(at::toString(types.gradients)) + " tokens " + std::to_string(c.tokens));
            Pair tokens(someTokens(c), at::kInt);
            Pair weight(uniform({c.vocabulary, c.width}), types.values),
                out(uniform({c.tokens, c.width}), types.values);
            embeddingForward(tokens.device, weight.device, out.device);
            embeddingForward(tokens.host, weight.host, out.host);
            out.compare("rows", 0, 1e-12);

            Pair gradient(uniform({c.tokens, c.width}), types.values),
                weightGradient(uniform({c.vocabulary, c.width}), types.gradients);
            embeddingBackward(tokens.device, gradient.device, weightGradient.device);
            embeddingBackward(tokens.host, gradient.host, weightGradient.host);
            weightGradient.compare("weight gradient", std::max(1e-4, roundingOf(types.gradients)), 1e-3);
        }
}

// Scored rows are padded to a fixed capacity with -1, where a gather gives zeros and a scatter does nothing.
TEST_F(GpuEmbedding, RowsThatAreNotUsedAreLeftOut) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        constexpr int64_t kLimit = 500, kUsed = 211, kCapacity = 260, kWidth = 136;
        const at::Tensor used = at::randperm(kLimit, int64s()).narrow(0, 0, kUsed);
        Pair index(at::full({kCapacity}, -1, int64s()).index_fill(0, at::arange(kUsed, int64s()), 0), at::kInt);
        index.host.narrow(0, 0, kUsed).copy_(used);
        index.device.copy_(index.host);
        Pair x(uniform({kLimit, kWidth}), type), out(uniform({kCapacity, kWidth}), type);
        gatherRows(x.device, index.device, out.device);
        gatherRows(x.host, used, out.host.narrow(0, 0, kUsed));
        out.host.narrow(0, kUsed, kCapacity - kUsed).zero_();
        out.compare("gathered", 0, 1e-12);

        scatterAddRows(out.device, index.device, x.device);
        scatterAddRows(out.host.narrow(0, 0, kUsed), used, x.host);
        x.compare("scattered", roundingOf(type), 1e-6);
    }
}

TEST_F(GpuEmbedding, WideIndicesAreRefused) {
    const at::Tensor table = at::zeros({4, 8}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
    const at::Tensor index = at::zeros({2}, int64s().device(at::kCUDA));
    EXPECT_THROW(gatherRows(table, index, table.narrow(0, 0, 2).clone()), Error);
    EXPECT_THROW(embeddingForward(index, table, table.narrow(0, 0, 2).clone()), Error);
}

}  // namespace
}  // namespace unmask::gpu
