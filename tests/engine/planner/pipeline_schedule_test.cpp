// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/pipeline_schedule.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

constexpr auto k1F1B = PipelineSchedule::oneForwardOneBackward;

std::string asText(const StageOperations& list) {
    std::string text;
    for (const PipelineOperation& operation : list) {
        const char* letters = "FBIW";
        text += letters[static_cast<size_t>(operation.work)] + std::to_string(operation.microBatch);
        text += operation.chunk > 0 ? "'" : "";
        text += " ";
    }
    text.pop_back();
    return text;
}

std::vector<std::string> asTexts(const PipelineShape& shape) {
    std::vector<std::string> texts;
    for (const StageOperations& list : pipelineOperations(shape))
        texts.push_back(asText(list));
    return texts;
}

TEST(PipelineSchedule, ListsAsInTheLiterature) {
    EXPECT_EQ(asTexts({PipelineSchedule::gpipe, 2, 2}), (std::vector<std::string>{"F0 F1 B0 B1", "F0 F1 B0 B1"}));
    EXPECT_EQ(asTexts({k1F1B, 2, 3}), (std::vector<std::string>{"F0 F1 B0 F2 B1 B2", "F0 B0 F1 B1 F2 B2"}));
    EXPECT_EQ(asTexts({PipelineSchedule::zeroBubble, 2, 3}),
              (std::vector<std::string>{"F0 F1 I0 W0 F2 I1 W1 I2 W2", "F0 I0 F1 I1 W0 F2 I2 W1 W2"}));
    EXPECT_EQ(asTexts({PipelineSchedule::interleaved, 2, 2, 2}),
              (std::vector<std::string>{"F0 F1 F0' F1' B0' B1' B0 B1", "F0 F1 F0' B0' F1' B1' B0 B1"}));
}

TEST(PipelineSchedule, OneStageWorksThroughItsMicroBatches) {
    EXPECT_EQ(asTexts({k1F1B, 1, 2}), (std::vector<std::string>{"F0 B0 F1 B1"}));
    EXPECT_EQ(asTexts({PipelineSchedule::zeroBubble, 1, 2}), (std::vector<std::string>{"F0 I0 W0 F1 I1 W1"}));
}

// GPipe holds all micro-batches, the others no more than the first stage of 1F1B does, however many there are.
TEST(PipelineSchedule, ActivationsInFlightAreBounded) {
    for (const int64_t stages : {1, 2, 4, 8})
        for (const int64_t microBatches : {1, 3, 8, 32}) {
            const auto held = [&](PipelineSchedule schedule, int64_t stage) {
                return mostInFlight(pipelineOperations({schedule, stages, microBatches})[static_cast<size_t>(stage)]);
            };
            for (int64_t stage = 0; stage < stages; ++stage) {
                EXPECT_EQ(held(PipelineSchedule::gpipe, stage), microBatches);
                EXPECT_EQ(held(k1F1B, stage), std::min(microBatches, stages - stage));
                EXPECT_LE(held(PipelineSchedule::zeroBubble, stage), std::min(microBatches, stages));
            }
        }
}

TEST(PipelineSchedule, InterleavedHoldsLittleMoreThanOneModelsWorth) {
    const PipelineShape shape{PipelineSchedule::interleaved, 4, 32, 2};
    for (const StageOperations& list : pipelineOperations(shape))
        EXPECT_LE(mostInFlight(list), 2 * (shape.stages - 1) + (shape.chunks - 1) * shape.stages + 1);
}

TEST(PipelineSchedule, LayersAreDealtPieceByPiece) {
    const PipelineShape shape{PipelineSchedule::interleaved, 2, 2, 2};
    EXPECT_EQ(layersOfPiece(8, shape, shape.pieceOf(0, 0)), (std::vector<int64_t>{0, 1}));
    EXPECT_EQ(layersOfPiece(8, shape, shape.pieceOf(1, 0)), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(layersOfPiece(8, shape, shape.pieceOf(0, 1)), (std::vector<int64_t>{4, 5}));
    EXPECT_EQ(shape.stageOf(3), 1);
    EXPECT_EQ(shape.chunkOf(3), 1);
}

TEST(PipelineSchedule, ShapesThatCannotBeAreRefused) {
    EXPECT_THROW(pipelineOperations({k1F1B, 0, 4}), Error);
    EXPECT_THROW(pipelineOperations({k1F1B, 2, 0}), Error);
    EXPECT_THROW(pipelineOperations({k1F1B, 2, 4, 2}), Error);
    EXPECT_THROW(pipelineOperations({PipelineSchedule::interleaved, 4, 6, 2}), Error);
}

TEST(PipelineSchedule, ChunksCountOnlyWhereTheScheduleHasThem) {
    ParallelConfig parallel;
    parallel.pipelineStages = 4;
    parallel.virtualStages = 2;
    EXPECT_EQ(pipelineShape(parallel, 8).chunks, 1);
    parallel.schedule = PipelineSchedule::interleaved;
    EXPECT_EQ(pipelineShape(parallel, 8).chunks, 2);
}

TEST(PipelineSchedule, WorkHasStableWords) {
    EXPECT_EQ(pipelineWord(PipelineWork::inputBackward), "input_backward");
}

}  // namespace
}  // namespace unmask
