// SPDX-License-Identifier: Apache-2.0
// Memory of ranks by part. What ranks of this engine really take is held against it in
// tests/engine/train/rank_memory_test.cpp.
#include "engine/planner/layout_memory.h"

#include <gtest/gtest.h>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

constexpr PlanTarget kCpu{.threads = 2};
constexpr PlanTarget kGpu{.gpu = true};

MemoryBytes only(const RunSpec& spec, const PlanTarget& target = kCpu) {
    const std::vector<StageMemory> stages = layoutMemory(spec, target);
    EXPECT_EQ(stages.size(), 1U);
    return stages.front().bytes;
}

int64_t slabElementsOf(const RunSpec& spec, bool blocks) {
    const std::vector<SlabShape> slabs = slabShapes(resolvedModel(spec));
    int64_t sum = 0;
    for (size_t i = 0; i < slabs.size(); ++i)
        if ((i > 0 && i + 1 < slabs.size()) == blocks)
            sum += slabs[i].elements;
    return sum;
}

TEST(LayoutMemory, OneDeviceIsCountedFromTheListsOfBuffersAlone) {
    for (const Checkpointing checkpointing : {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
        RunSpec spec = smallSpec();
        spec.parallel.activationCheckpointing = checkpointing;
        const StepMemory step =
            stepMemory(resolvedModel(spec), {.rows = 32, .length = 64, .threads = 2}, blockPolicy(checkpointing));
        const MemoryBytes memory = only(spec);
        EXPECT_EQ(memory.activations, step.activations);
        EXPECT_EQ(memory.logits, step.logits);
        EXPECT_EQ(memory.buffers, step.buffers);
        EXPECT_EQ(memory.communication, 0);
        EXPECT_EQ(memory.weights, 4 * (slabElementsOf(spec, true) + slabElementsOf(spec, false)));
        EXPECT_EQ(memory.total(), planMemory(spec, kCpu).total());
    }
    RunSpec sparse = smallSpec();
    sparse.model.experts = 4;
    sparse.model.denseLayers = 1;
    EXPECT_EQ(
        only(sparse).activations,
        stepMemory(resolvedModel(sparse), {.rows = 32, .length = 64, .threads = 2}, BlockPolicy::keep).activations);
}

TEST(LayoutMemory, EachStageOfZeroSharesMore) {
    RunSpec spec = smallSpec();
    spec.parallel.dataParallelSize = 4;
    const auto memoryOf = [&](int64_t stage) {
        spec.parallel.zeroStage = stage;
        return only(spec);
    };
    const int64_t ends = 4 * slabElementsOf(spec, false);
    const int64_t blocks = 4 * slabElementsOf(spec, true);
    const int64_t all = ends + blocks;
    const auto near = [](int64_t actual, int64_t wanted) {  // slabs are rounded up so that they can be cut
        EXPECT_NEAR(static_cast<double>(actual), static_cast<double>(wanted), 0.001 * static_cast<double>(wanted));
    };
    const MemoryBytes none = memoryOf(0);
    near(none.weights, all);
    near(none.gradients, all);
    near(none.optimizer, 2 * all);
    EXPECT_EQ(none.communication, 0);
    const MemoryBytes one = memoryOf(1);
    near(one.weights, all);
    near(one.gradients, all + all / 4);
    near(one.optimizer, 2 * all / 4);
    near(one.communication, all);  // Gloo's copies of what is summed
    const MemoryBytes two = memoryOf(2);
    near(two.weights, all);
    near(two.gradients, ends + all / 4);
    const MemoryBytes three = memoryOf(3);
    near(three.weights, ends + blocks / 4);
    // Two blocks' gradients, their sums, and values; Gloo's copies, which NCCL does not make.
    near(two.communication, 2 * blocks / 4 + 2 * blocks / 16 + ends + 2 * blocks / 4);
    near(three.communication, 4 * blocks / 4 + 2 * blocks / 16 + ends + 3 * blocks / 4);
    const int64_t channels = only(spec, kGpu).communication - 4 * blocks / 4 - 2 * blocks / 16;
    near(channels, 300LL << 20);
    EXPECT_EQ(three.activations, none.activations);
}

TEST(LayoutMemory, ACopyComputesItsShareOfTheBatch) {
    RunSpec spec = smallSpec();
    const int64_t whole = only(spec).activations;
    spec.parallel.dataParallelSize = 4;
    EXPECT_EQ(only(spec).activations, whole / 4);
}

TEST(LayoutMemory, TensorPartsShareWeightsAndWhatLiesBetween) {
    RunSpec spec = largeSpec();
    const MemoryBytes one = only(spec, kGpu);
    spec.parallel.tensorParallelSize = 4;
    const MemoryBytes four = only(spec, kGpu);
    EXPECT_NEAR(static_cast<double>(four.weights) / static_cast<double>(one.weights), 0.25, 0.01) << "norms are whole";
    EXPECT_LT(four.activations, one.activations * 3 / 5);
    EXPECT_GT(four.activations, one.activations / 4) << "the stream is whole";
    spec.parallel.sequenceParallel = true;
    EXPECT_LT(only(spec, kGpu).activations, one.activations * 0.27);
}

TEST(LayoutMemory, StagesHoldTheirLayersAndWhatIsInFlight) {
    RunSpec spec = largeSpec();
    const MemoryBytes one = only(spec, kGpu);
    spec.parallel.pipelineStages = 4;
    spec.parallel.schedule = PipelineSchedule::oneForwardOneBackward;
    const std::vector<StageMemory> stages = layoutMemory(spec, kGpu);
    ASSERT_EQ(stages.size(), 4U);
    EXPECT_EQ(stages[1].layers.front(), 6);
    EXPECT_EQ(stages[1].layers.back(), 11);
    int64_t weights = 0;
    for (const StageMemory& stage : stages)
        weights += stage.bytes.weights;
    EXPECT_EQ(weights, one.weights) << "no tied head: everything once";
    // 1F1B: the first of four stages holds four micro-batches of a quarter of the layers, the last holds one.
    EXPECT_GT(stages[0].bytes.activations, 3 * stages[3].bytes.activations);
    EXPECT_NEAR(static_cast<double>(stages[0].bytes.activations) / static_cast<double>(one.activations), 1, 0.1);
    EXPECT_EQ(stages[0].bytes.logits, 0);
    EXPECT_GT(stages[3].bytes.logits, 0);
    spec.parallel.schedule = PipelineSchedule::gpipe;
    EXPECT_GT(layoutMemory(spec, kGpu)[3].bytes.activations, 7 * stages[3].bytes.activations)
        << "all eight micro-batches";
    spec.model.tiedHead = true;
    EXPECT_GT(layoutMemory(spec, kGpu)[3].bytes.weights, stages[1].bytes.weights + 50304 * 1024 * 2 - 1)
        << "a tied head brings the embedding to the last stage";
}

TEST(LayoutMemory, ExpertsAndRowsAreShared) {
    RunSpec spec = largeSpec();
    spec.model.experts = 16;
    spec.parallel.dataParallelSize = 4;
    const MemoryBytes whole = only(spec, kGpu);
    spec.parallel.expertParallelSize = 4;
    EXPECT_LT(only(spec, kGpu).weights, whole.weights / 2);
    spec = largeSpec();
    const MemoryBytes rows = only(spec, kGpu);
    spec.parallel.contextParallelSize = 2;
    EXPECT_NEAR(static_cast<double>(only(spec, kGpu).activations) / static_cast<double>(rows.activations), 0.5, 0.02);
    EXPECT_GT(only(spec, kGpu).communication, 0);
}

TEST(LayoutMemory, StateFollowsThePrecision) {
    RunSpec spec = smallSpec();
    EXPECT_EQ(stateElementBytes(spec), 16);
    EXPECT_EQ(weightElementBytes(spec), 4);
    spec.training.precision = Precision::bf16;
    EXPECT_EQ(stateElementBytes(spec), 16);
    EXPECT_EQ(weightElementBytes(spec), 2);
    spec.optimizer.statePrecision = StatePrecision::bf16;
    EXPECT_EQ(stateElementBytes(spec), 8);
}

// Rules refuse such layouts; a form that is half filled in must not crash on them.
TEST(LayoutMemory, SizesThatDoNotDivideGiveFiguresOfTheRightOrder) {
    RunSpec spec = smallSpec();
    spec.parallel.tensorParallelSize = 3;
    spec.parallel.pipelineStages = 2;
    spec.parallel.microBatchSize = 5;
    spec.parallel.schedule = PipelineSchedule::interleaved;
    spec.parallel.virtualStages = 2;
    for (const StageMemory& stage : layoutMemory(spec, kCpu))
        EXPECT_GT(stage.bytes.total(), 0);
}

}  // namespace
}  // namespace unmask
