// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/masked_cross_entropy.h"

#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuMaskedCrossEntropy : public GpuTest {};

constexpr int64_t kRows = 200, kWidth = 64, kVocabulary = 256, kChunk = 96;

// In chunks, with ids that get no probability and rows that are not used.
TEST_F(GpuMaskedCrossEntropy, LossesAndGradientsMatchTheCpu) {
    const VocabularyLimit limit{.used = 210, .maskId = 130};
    for (const Types& types : mixtures()) {
        SCOPED_TRACE(at::toString(types.values));
        Pair hidden(uniform({kRows, kWidth}), types.values), weight(uniform({kVocabulary, kWidth}, 0.3), types.values);
        Pair targets(at::randint(130, {kRows}, at::TensorOptions().dtype(at::kLong)), at::kLong);
        Pair weights(uniform({kRows}).abs(), at::kDouble);
        Pair losses(at::zeros({kRows}, float64()), at::kDouble);
        Pair gradient(uniform({kRows, kWidth}), types.values),
            dw(at::zeros({kVocabulary, kWidth}, float64()), types.gradients);
        const int64_t unused = 30;
        targets.device.narrow(0, kRows - unused, unused).fill_(-1);
        weights.device.narrow(0, kRows - unused, unused).zero_();
        weights.host.narrow(0, kRows - unused, unused).zero_();
        const auto run = [&](at::Tensor Pair::*side, const at::Tensor& logits) {
            maskedCrossEntropy({.hidden = hidden.*side,
                                .weight = weight.*side,
                                .targets = targets.*side,
                                .weights = weights.*side,
                                .logits = logits,
                                .losses = losses.*side,
                                .gradient = gradient.*side,
                                .weightGradient = dw.*side,
                                .options = {.vocabulary = limit}});
        };
        run(&Pair::host, at::zeros({kChunk, kVocabulary}, float64()));
        run(&Pair::device, at::zeros({kChunk, kVocabulary}, at::TensorOptions().dtype(types.values).device(at::kCUDA)));
        losses.host.narrow(0, kRows - unused, unused).zero_();
        const double rounding = types.values == at::kFloat ? 1e-4 : 3e-2;
        losses.compare("losses", rounding, rounding);
        gradient.compare("gradient of hidden", rounding, rounding);
        dw.compare("gradient of the weight", rounding, 5 * rounding);
    }
}

TEST_F(GpuMaskedCrossEntropy, LogitsOfExcludedIdsAreMinusInfinity) {
    Pair hidden(uniform({5, kWidth}), at::kFloat), weight(uniform({kVocabulary, kWidth}), at::kFloat);
    const at::Tensor out = at::full({5, kVocabulary}, 3.0, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
    out.fill_(std::numeric_limits<double>::quiet_NaN());  // everything is written
    headLogits(hidden.device, weight.device, {.used = 210, .maskId = 130}, out);
    const at::Tensor host = out.cpu();
    EXPECT_FALSE(at::isnan(host).any().item<bool>());
    EXPECT_TRUE(std::isinf(host[0][130].item<float>()));
    EXPECT_TRUE(std::isinf(host[4][255].item<float>()));
    EXPECT_TRUE(std::isfinite(host[4][209].item<float>()));
}

}  // namespace
}  // namespace unmask::gpu
