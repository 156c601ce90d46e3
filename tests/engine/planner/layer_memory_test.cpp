// SPDX-License-Identifier: Apache-2.0
// Sizes of activations against hand-computed figures; the arena test of the runtime holds the engine to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/planner/layer_memory.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

TEST(LayerMemory, PoliciesOrderByWhatTheyKeep) {
    const ModelConfig model = shape(6, 512, 1408);
    const StepShape step{.rows = 4, .length = 256, .threads = 2};
    const int64_t keep = stepMemory(model, step, BlockPolicy::keep).activations;
    const int64_t cheap = stepMemory(model, step, BlockPolicy::recomputeCheap).activations;
    const int64_t full = stepMemory(model, step, BlockPolicy::recompute).activations;
    EXPECT_LT(cheap, keep);
    EXPECT_LT(full, cheap);
    // Norm outputs 2 × C and the product F are no longer kept by the five other blocks.
    EXPECT_EQ(keep - cheap, 5 * 1024 * (2 * 512 + 1408) * 4);
}

TEST(LayerMemory, KeptActivationsFollowTheFormula) {
    const ModelConfig model = shape(6, 512, 1408);
    const StepShape step{.rows = 4, .length = 256, .threads = 2};
    // Bytes a token and block: 8 C + 3 F values, log-sum-exp a head, two norm factors; the last block also gathers
    // scored rows.
    const int64_t block = 4 * (8 * 512 + 3 * 1408 + 8 + 2);
    EXPECT_EQ(stepMemory(model, step, BlockPolicy::keep).activations, 1024 * (6 * block + 4 * 512));
}

// In fp8 the backward pass reads 8-bit copies, so norm outputs and the product are not kept beside them.
TEST(LayerMemory, Fp8KeepsCopiesOfOneByte) {
    const ModelConfig model = shape(6, 512, 1408);
    StepShape step{.rows = 4, .length = 256, .threads = 2, .elementBytes = 2};
    const int64_t wide = stepMemory(model, step, BlockPolicy::keep).activations;
    step.fp8 = true;
    const int64_t narrow = stepMemory(model, step, BlockPolicy::keep).activations;
    // Away, but for one shared set: 2 C + F values of 2 bytes. New: 3 C + F bytes, and C for the queries of the last.
    EXPECT_EQ(wide - narrow, 1024 * (5 * 2 * (2 * 512 + 1408) - 6 * (3 * 512 + 1408) - 512));
    EXPECT_EQ(stepMemory(model, step, BlockPolicy::recomputeCheap).activations,
              wide - 1024 * 5 * 2 * (2 * 512 + 1408) + 1024 * (6 * 512 + 2 * 512 + 1408 + 512));
}

TEST(LayerMemory, SparseBlocksKeepRoutesAndTheChosenExperts) {
    ModelConfig model = shape(6, 512, 1408);
    const StepShape step{.rows = 4, .length = 256, .threads = 2};
    const int64_t dense = stepMemory(model, step, BlockPolicy::keep).activations;
    model.experts = 16;
    model.expertsPerToken = 2;
    model.expertWidth = 256;
    model.sharedExperts = 1;
    model.denseLayers = 2;
    // A token: scores, weights and three indices a route, gate ‖ up and product of three experts for those of the dense
    // part; a block: where each expert begins, in whole 256 bytes.
    const int64_t token = 4 * (16 + 2 + 3 * 2 + 3 * 3 * 256) - 4 * 3 * 1408;
    EXPECT_EQ(stepMemory(model, step, BlockPolicy::keep).activations - dense, 4 * (1024 * token + 256));
}

// The parts of a sparse model that stages of a pipeline hold make up the whole.
TEST(LayerMemory, PartsOfASparseModelHoldTheirKindsOfBlocks) {
    ModelConfig model = shape(6, 512, 1408);
    model.experts = 16;
    model.denseLayers = 2;
    const StepShape whole{.rows = 4, .length = 256, .threads = 2};
    StepShape first = whole, second = whole;
    first.blocks = second.blocks = 3;
    first.lastBlock = false;
    first.sparseBlocks = 1;
    second.sparseBlocks = 3;
    EXPECT_EQ(stepMemory(model, first, BlockPolicy::keep).activations +
                  stepMemory(model, second, BlockPolicy::keep).activations,
              stepMemory(model, whole, BlockPolicy::keep).activations);
}

TEST(LayerMemory, LogitsAreChunkedForLargeVocabularies) {
    ModelConfig model = shape(1, 64, 64);
    model.vocabularySize = 126464;
    const StepShape step{.rows = 8, .length = 1024};
    EXPECT_LE(logitChunkRows(model, step), 66);
    EXPECT_LE(stepMemory(model, step, BlockPolicy::keep).logits, 34 << 20);
}

}  // namespace
}  // namespace unmask
