// SPDX-License-Identifier: Apache-2.0
// A vocabulary whose rows lie on several devices: embedding, losses, gradients and logits are those of one device.
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/embedding.h"
#include "engine/ops/masked_cross_entropy.h"
#include "tests/engine/ops/autograd_reference.h"
#include "tests/engine/ops/thread_group.h"

namespace unmask {
namespace {

using namespace reference;

constexpr int64_t kRows = 23, kWidth = 9, kVocabulary = 32, kChunk = 7;

struct Head {
    at::Tensor losses = at::zeros({kRows}, float64());
    at::Tensor gradient = at::zeros({kRows, kWidth}, float64());
    at::Tensor weightGradient;
    at::Tensor logits = at::zeros({kRows, kVocabulary}, float64());
};

class SharedVocabulary : public testing::TestWithParam<VocabularyLimit> {
 protected:
    SharedVocabulary() { at::manual_seed(21); }

    Head compute(const at::Tensor& rows, TensorGroup* group) const {
        Head head;
        head.weightGradient = at::zeros_like(rows);
        maskedCrossEntropy({.hidden = m_hidden,
                            .weight = rows,
                            .targets = m_targets,
                            .weights = m_weights,
                            .logits = at::empty({kChunk, rows.size(0)}, float64()),
                            .losses = head.losses,
                            .gradient = head.gradient,
                            .weightGradient = head.weightGradient,
                            .options = {.vocabulary = GetParam(), .zLoss = 0.01},
                            .group = group});
        headLogits(m_hidden, rows, GetParam(), head.logits, group);
        return head;
    }

    at::Tensor m_hidden = random({kRows, kWidth});
    at::Tensor m_weight = random({kVocabulary, kWidth});
    at::Tensor m_targets = at::randint(9, {kRows}, at::TensorOptions().dtype(at::kLong));
    at::Tensor m_weights = random({kRows});
};

// With 10 ids in use and 4 parts of 8 rows, two devices have nothing to compute.
TEST_P(SharedVocabulary, HeadIsThatOfOneDevice) {
    const Head whole = compute(m_weight, nullptr);
    for (const int64_t parts : {2, 4}) {
        const int64_t rows = kVocabulary / parts;
        ThreadGroup(parts).run([&](TensorGroup& group) {
            const int64_t first = group.part() * rows;
            const Head part = compute(m_weight.narrow(0, first, rows).contiguous(), &group);
            EXPECT_LT((part.losses - whole.losses).abs().max().item<double>(), 1e-13);
            EXPECT_LT((part.gradient - whole.gradient).abs().max().item<double>(), 1e-13);
            EXPECT_LT((part.weightGradient - whole.weightGradient.narrow(0, first, rows)).abs().max().item<double>(),
                      1e-13);
            EXPECT_TRUE(at::isinf(part.logits).equal(at::isinf(whole.logits)));
            const at::Tensor finite = at::isinf(whole.logits).logical_not();
            EXPECT_LT((part.logits - whole.logits).masked_select(finite).abs().max().item<double>(), 1e-13);
        });
    }
}

TEST_P(SharedVocabulary, TargetsThatCannotBePredictedAreRefusedOnEveryDevice) {
    if (GetParam().maskId < 0)
        return;
    m_targets[3] = GetParam().maskId;
    ThreadGroup(2).run([&](TensorGroup& group) {
        EXPECT_THROW(compute(m_weight.narrow(0, 16 * group.part(), 16).contiguous(), &group), Error);
    });
}

INSTANTIATE_TEST_SUITE_P(Limits, SharedVocabulary,
                         testing::Values(VocabularyLimit{}, VocabularyLimit{.used = 10, .maskId = 9},
                                         VocabularyLimit{.used = 30, .maskId = 20},
                                         VocabularyLimit{.used = 17, .maskId = 16}));

TEST(SharedEmbedding, RowsOfOthersAreZerosAndTheirGradientsGoNowhere) {
    at::manual_seed(22);
    const at::Tensor weight = random({12, kWidth});
    const at::Tensor tokens = at::randint(12, {40}, at::TensorOptions().dtype(at::kInt));
    const at::Tensor gradient = random({40, kWidth});
    const at::Tensor whole = at::empty({40, kWidth}, float64());
    embeddingForward(tokens, weight, whole);
    const at::Tensor wholeGradient = at::zeros_like(weight);
    embeddingBackward(tokens, gradient, wholeGradient);
    at::Tensor sum = at::zeros_like(whole);
    for (int64_t part = 0; part < 3; ++part) {
        const at::Tensor rows = weight.narrow(0, 4 * part, 4).contiguous();
        const at::Tensor out = at::empty({40, kWidth}, float64());
        embeddingForward(tokens, rows, {4 * part, 12}, out);
        sum += out;
        const at::Tensor rowsGradient = at::zeros_like(rows);
        embeddingBackward(tokens, gradient, {4 * part, 12}, rowsGradient);
        EXPECT_TRUE(rowsGradient.equal(wholeGradient.narrow(0, 4 * part, 4)));
    }
    EXPECT_TRUE(sum.equal(whole)) << "to the bit";
    EXPECT_THROW(embeddingForward(tokens + 12, weight.narrow(0, 0, 4), {0, 12}, whole), Error);
}

}  // namespace
}  // namespace unmask
