// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/step_buffers.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

ModelConfig smallConfig() {
    ModelConfig config;
    config.layers = 3;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 24;
    config.vocabularySize = 128;
    return config;
}

TEST(StepBuffers, ViewsAreCutToTheMicroBatch) {
    const StepShape shape{.rows = 4, .length = 8};
    const StepBuffers buffers(smallConfig(), shape, BlockPolicy::keep, at::kFloat);
    const SavedBuffers inner = buffers.block(0, 16, 5);
    EXPECT_EQ(inner[BlockBuffer::projected].sizes(), (std::vector<int64_t>{16, 48}));
    EXPECT_EQ(inner[BlockBuffer::inner].sizes(), (std::vector<int64_t>{16, 48}));
    EXPECT_EQ(inner[BlockBuffer::rstd1].sizes(), (std::vector<int64_t>{16}));
    EXPECT_FALSE(inner[BlockBuffer::mean1].defined());
    const SavedBuffers last = buffers.block(2, 16, 5);
    EXPECT_EQ(last[BlockBuffer::projected].sizes(), (std::vector<int64_t>{16, 32}));
    EXPECT_EQ(last[BlockBuffer::query].sizes(), (std::vector<int64_t>{5, 16}));
    EXPECT_EQ(last[BlockBuffer::product].sizes(), (std::vector<int64_t>{5, 24}));
    const WorkBuffers work = buffers.work(16, 5);
    EXPECT_EQ(work[WorkBuffer::delta].size(0), 16);
    EXPECT_EQ(work[WorkBuffer::scoredGradient].size(0), 5);
    EXPECT_EQ(work[WorkBuffer::rowLosses].scalar_type(), at::kDouble);
    EXPECT_EQ(work[WorkBuffer::positions].scalar_type(), at::kInt);
}

// In a pipeline several micro-batches are under way: what is kept, each has for itself.
TEST(StepBuffers, SetsShareWhatIsNotKept) {
    const StepShape shape{.rows = 4, .length = 8, .blocks = 2, .lastBlock = false};
    for (const BlockPolicy policy : {BlockPolicy::keep, BlockPolicy::recompute}) {
        const StepBuffers buffers(smallConfig(), shape, policy, at::kFloat, at::kCPU, 3);
        EXPECT_EQ(buffers.arena().used(), buffers.arena().bytes());
        const auto place = [&](int64_t set, BlockBuffer which) {
            return buffers.block(1, 32, 9, set)[which].data_ptr();
        };
        EXPECT_NE(place(0, BlockBuffer::input), place(2, BlockBuffer::input));
        EXPECT_EQ(place(0, BlockBuffer::inner) == place(2, BlockBuffer::inner), policy == BlockPolicy::recompute);
        EXPECT_EQ(buffers.block(1, 32, 9, 0)[BlockBuffer::product].size(0), 32) << "not the model's last block";
    }
}

TEST(StepBuffers, RecomputedBlocksShareAllButTheirInput) {
    const StepShape shape{.rows = 4, .length = 8};
    const auto place = [](const SavedBuffers& saved, BlockBuffer which) { return saved[which].data_ptr(); };
    const StepBuffers keep(smallConfig(), shape, BlockPolicy::keep, at::kFloat);
    const StepBuffers again(smallConfig(), shape, BlockPolicy::recompute, at::kFloat);
    const StepBuffers cheap(smallConfig(), shape, BlockPolicy::recomputeCheap, at::kFloat);
    for (const BlockBuffer which : {BlockBuffer::input, BlockBuffer::normed1, BlockBuffer::attended}) {
        EXPECT_NE(place(keep.block(0, 32, 9), which), place(keep.block(1, 32, 9), which));
        EXPECT_EQ(place(again.block(0, 32, 9), which) == place(again.block(1, 32, 9), which),
                  which != BlockBuffer::input);
        EXPECT_EQ(place(cheap.block(0, 32, 9), which) == place(cheap.block(1, 32, 9), which),
                  which == BlockBuffer::normed1);
    }
}

}  // namespace
}  // namespace unmask
