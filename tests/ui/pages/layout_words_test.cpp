// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_words.h"

#include <gtest/gtest.h>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"

namespace unmask::ui {
namespace {

LayoutAnswer answerFor(const ParallelConfig& parallel, const char* machines) {
    LayoutQuestion asked;
    asked.spec = presetSpec("base").value();
    asked.spec.training.batchSize = 64;
    asked.spec.parallel = parallel;
    asked.machines = QString::fromUtf8(machines);
    asked.hardware = Hardware{};
    return answerLayout(asked);
}

TEST(LayoutWords, ChangesAreNamedByTheirFields) {
    ParallelConfig from;
    ParallelConfig to;
    EXPECT_TRUE(changeWords(from, to).isEmpty());
    from.tensorParallelSize = 5;
    to.tensorParallelSize = 4;
    to.activationCheckpointing = Checkpointing::full;
    EXPECT_EQ(changeWords(from, to).toStdString(),
              "Tensor parallel 5 → 4, Activation checkpointing Keep everything → Recompute blocks");
    const test::ChineseWords chinese;
    EXPECT_TRUE(test::isChinese(changeWords(from, to)));
}

TEST(LayoutWords, TheSceneHasAHoldingForEachStageWithTheMemoryOfThePlanner) {
    ParallelConfig parallel;
    parallel.dataParallelSize = 2;
    parallel.pipelineStages = 2;
    const LayoutAnswer answer = answerFor(parallel, "8 x A100 80 GB on 2 nodes");
    ASSERT_TRUE(answer.plan.legal);
    const LayoutScene scene = sceneOf(answer);
    EXPECT_EQ(scene.ranks(), 4);
    EXPECT_EQ(scene.devices(), 8);
    ASSERT_EQ(scene.holdings.size(), 2);
    for (size_t stage = 0; stage < 2; ++stage) {
        const MemoryParts parts = scene.holdings[static_cast<qsizetype>(stage)].memory;
        EXPECT_DOUBLE_EQ(parts.needed(), static_cast<double>(answer.plan.stages[stage].bytes.total()));
        EXPECT_DOUBLE_EQ(parts.capacity, answer.plan.capacityBytes);
    }
}

// Ranks of a CPU are processes, as many as there are, not as many as cores.
TEST(LayoutWords, ProcessesOfACpuAreDrawnNotItsCores) {
    ParallelConfig parallel;
    parallel.dataParallelSize = 4;
    const LayoutScene scene = sceneOf(answerFor(parallel, "16 cores, 64 GB"));
    EXPECT_EQ(scene.devices(), 4);
    EXPECT_EQ(scene.ranks(), 4);
}

TEST(LayoutWords, SegmentsAddUpToWhatThePlannerSays) {
    ParallelConfig parallel;
    parallel.dataParallelSize = 2;
    parallel.tensorParallelSize = 2;
    parallel.pipelineStages = 2;
    parallel.microBatchSize = 4;
    const LayoutAnswer answer = answerFor(parallel, "8 x A100 80 GB on 2 nodes");
    ASSERT_TRUE(answer.plan.time);
    double seconds = 0;
    for (const StackSegment& segment : timeSegments(*answer.plan.time))
        seconds += segment.size;
    EXPECT_NEAR(seconds, answer.plan.time->total(), 1e-12);
    double bytes = 0;
    for (const StackSegment& segment : trafficSegments(answer.plan.time->traffic))
        bytes += segment.size;
    EXPECT_NEAR(bytes, answer.plan.time->traffic.total(), 1);
    EXPECT_TRUE(planFigures(answer.plan).contains(secondsWords(answer.plan.time->total())));
}

TEST(LayoutWords, ShortTimesAreMilliseconds) {
    EXPECT_EQ(secondsWords(0.0123).toStdString(), "12 ms");
    EXPECT_EQ(secondsWords(3.19).toStdString(), "3.19 s");
}

}  // namespace
}  // namespace unmask::ui
