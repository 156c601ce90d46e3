// SPDX-License-Identifier: Apache-2.0
// Masked cross-entropy against float64 autograd over full logits; AdamW and the gradient norm against their formulas.
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros_like.h>

#include <limits>

#include "engine/base/error.h"
#include "engine/ops/adamw.h"
#include "engine/ops/masked_cross_entropy.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

using namespace reference;

constexpr int64_t kRows = 23, kWidth = 9, kVocabulary = 30;

struct LossCase {
    VocabularyLimit limit;
    int64_t chunk;
};

class LossTest : public testing::TestWithParam<LossCase> {
 protected:
    // −inf where the limit excludes an id.
    at::Tensor exclusion() const {
        at::Tensor mask = at::zeros({kVocabulary}, float64());
        const VocabularyLimit limit = GetParam().limit;
        if (limit.used >= 0)
            mask.narrow(0, limit.used, kVocabulary - limit.used).fill_(-std::numeric_limits<double>::infinity());
        if (limit.maskId >= 0)
            mask.narrow(0, limit.maskId, 1).fill_(-std::numeric_limits<double>::infinity());
        return mask;
    }
};

TEST_P(LossTest, MatchesAutograd) {
    const LossCase c = GetParam();
    at::manual_seed(13);
    const at::Tensor hidden = differentiable(random({kRows, kWidth}));
    const at::Tensor weight = differentiable(random({kVocabulary, kWidth}));
    const at::Tensor targets = at::randint(20, {kRows}, at::TensorOptions().dtype(at::kLong));
    const at::Tensor weights = random({kRows});
    const at::Tensor logits = at::linear(hidden, weight) + exclusion();
    const at::Tensor losses = -at::gather(at::log_softmax(logits, -1), 1, targets.unsqueeze(1)).squeeze(1);
    (losses * weights).sum().backward();

    MaskedCrossEntropyArgs args;
    args.hidden = hidden.detach();
    args.weight = weight.detach();
    args.targets = targets;
    args.weights = weights;
    args.logits = at::empty({c.chunk, kVocabulary}, float64());
    args.losses = at::empty({kRows}, float64());
    args.gradient = at::empty({kRows, kWidth}, float64());
    args.weightGradient = at::full({kVocabulary, kWidth}, 2.0, float64());
    args.options.vocabulary = c.limit;
    maskedCrossEntropy(args);
    expectClose(args.losses, losses, "losses");
    expectClose(args.gradient, hidden.grad(), "gradient of hidden");
    expectClose(args.weightGradient - 2.0, weight.grad(), "gradient of the head");

    args.gradient = at::Tensor();
    args.losses = at::empty({kRows}, float64());
    maskedCrossEntropy(args);
    expectClose(args.losses, losses, "losses without gradients");

    const at::Tensor out = at::empty({kRows, kVocabulary}, float64());
    headLogits(hidden.detach(), weight.detach(), c.limit, out);
    EXPECT_TRUE(at::equal(out.isinf(), logits.detach().isinf()));
    expectClose(at::log_softmax(out, -1).clamp_min(-1e3), at::log_softmax(logits, -1).clamp_min(-1e3), "logits");
}

INSTANTIATE_TEST_SUITE_P(Limits, LossTest,
                         testing::Values(LossCase{{}, kRows}, LossCase{{}, 5}, LossCase{{26, 25}, 7},
                                         LossCase{{26, 22}, 7}, LossCase{{-1, 29}, 1}, LossCase{{24, 28}, 64}));

TEST(Loss, ZLossPullsTheSumOfExponentialsAndIsNotReported) {
    at::manual_seed(17);
    const at::Tensor hidden = differentiable(random({kRows, kWidth}));
    const at::Tensor weight = differentiable(random({kVocabulary, kWidth}));
    const at::Tensor targets = at::randint(20, {kRows}, at::TensorOptions().dtype(at::kLong));
    const at::Tensor weights = random({kRows});
    const at::Tensor logits = at::linear(hidden, weight);
    const at::Tensor losses = -at::gather(at::log_softmax(logits, -1), 1, targets.unsqueeze(1)).squeeze(1);
    const at::Tensor sums = at::logsumexp(logits, {-1});
    ((losses + 0.1 * sums * sums) * weights).sum().backward();
    MaskedCrossEntropyArgs args{.hidden = hidden.detach(),
                                .weight = weight.detach(),
                                .targets = targets,
                                .weights = weights,
                                .logits = at::empty({5, kVocabulary}, float64()),
                                .losses = at::empty({kRows}, float64()),
                                .gradient = at::empty({kRows, kWidth}, float64()),
                                .weightGradient = at::zeros({kVocabulary, kWidth}, float64()),
                                .options = {.vocabulary = {}, .zLoss = 0.1}};
    maskedCrossEntropy(args);
    expectClose(args.losses, losses, "losses");
    expectClose(args.gradient, hidden.grad(), "gradient of hidden");
    expectClose(args.weightGradient, weight.grad(), "gradient of the head");
}

TEST(Loss, TargetsThatCannotBePredictedAreRefused) {
    MaskedCrossEntropyArgs args;
    args.hidden = at::zeros({1, 2}, float64());
    args.weight = at::zeros({8, 2}, float64());
    args.logits = at::zeros({1, 8}, float64());
    args.losses = at::zeros({1}, float64());
    args.options.vocabulary = {6, 3};
    for (const int64_t target : {-1, 3, 6, 8}) {
        args.targets = at::full({1}, target, at::TensorOptions().dtype(at::kLong));
        EXPECT_THROW(maskedCrossEntropy(args), Error) << target;
    }
}

TEST(Loss, UniformLogitsCostTheLogOfTheAdmittedIds) {
    MaskedCrossEntropyArgs args;
    args.hidden = at::zeros({1, 2}, float64());
    args.weight = at::zeros({384, 2}, float64());
    args.logits = at::zeros({1, 384}, float64());
    args.losses = at::zeros({1}, float64());
    args.targets = at::full({1}, 5, at::TensorOptions().dtype(at::kLong));
    args.options.vocabulary = {259, 258};
    maskedCrossEntropy(args);
    EXPECT_NEAR(args.losses.item<double>(), std::log(258), 1e-14);
}

TEST(AdamW, FollowsTheFormula) {
    at::manual_seed(14);
    Slab slab{"slab", random({40}), random({40}), 16};
    AdamWArgs args;
    args.m = at::zeros({40}, float64());
    args.v = at::zeros({40}, float64());
    args.learningRate = 0.01;
    args.weightDecay = 0.3;
    args.gradientScale = 0.7;
    at::Tensor p = slab.values.clone();
    at::Tensor m = at::zeros({40}, float64());
    at::Tensor v = at::zeros({40}, float64());
    for (args.updates = 1; args.updates <= 5; ++args.updates) {
        slab.gradients.copy_(random({40}));
        adamwUpdate(slab, args);
        const at::Tensor g = slab.gradients * 0.7;
        m = m * args.beta1 + g * (1 - args.beta1);
        v = v * args.beta2 + g * g * (1 - args.beta2);
        const double t = static_cast<double>(args.updates);
        const at::Tensor mHat = m / (1 - std::pow(args.beta1, t));
        const at::Tensor vHat = v / (1 - std::pow(args.beta2, t));
        at::Tensor decayed = p.clone();
        decayed.narrow(0, 0, 16).mul_(1 - 0.01 * 0.3);
        p = decayed - 0.01 * mHat / (vHat.sqrt() + args.epsilon);
    }
    expectClose(slab.values, p, "weights", 1e-13);
    expectClose(args.m, m, "m", 1e-13);
    expectClose(args.v, v, "v", 1e-13);
}

TEST(GradientNorm, SumsOverSlabsAndSeesNonFiniteValues) {
    at::manual_seed(15);
    std::vector<Slab> slabs;
    for (const int64_t size : {5, 70001})
        slabs.push_back({"slab", random({size}), random({size}), 0});
    const double expected =
        std::sqrt((slabs[0].gradients.pow(2).sum() + slabs[1].gradients.pow(2).sum()).item<double>());
    EXPECT_NEAR(gradientNorm(slabs), expected, 1e-12 * expected);
    slabs[1].gradients.narrow(0, 33000, 1).fill_(std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(gradientNorm(slabs)));
    slabs[1].gradients.narrow(0, 33000, 1).fill_(std::numeric_limits<double>::infinity());
    EXPECT_FALSE(std::isfinite(gradientNorm(slabs)));
}

}  // namespace
}  // namespace unmask
