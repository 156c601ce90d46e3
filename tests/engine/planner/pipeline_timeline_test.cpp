// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/pipeline_timeline.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

constexpr auto k1F1B = PipelineSchedule::oneForwardOneBackward;
constexpr PieceSeconds kStage{1.0, 1.2, 0.8};  // of a whole stage

PipelineSeconds equalStages(const PipelineShape& shape) {
    const double chunks = static_cast<double>(shape.chunks);
    const PieceSeconds piece{kStage.forward / chunks, kStage.inputBackward / chunks, kStage.weightBackward / chunks};
    return {std::vector(static_cast<size_t>(shape.pieces()), piece)};
}

PipelineTimeline timelineOf(const PipelineShape& shape) {
    return pipelineTimeline(shape, pipelineOperations(shape), equalStages(shape)).orThrow();
}

std::string complaint(const PipelineShape& shape, const std::vector<StageOperations>& lists) {
    const auto timeline = pipelineTimeline(shape, lists, equalStages(shape));
    return timeline ? "" : timeline.error().what();
}

// A timeline is only given when every operation is there once and each could begin, so this is also the proof that no
// schedule has a gap, a double or a deadlock.
TEST(PipelineTimeline, BubbleIsThatOfTheFormula) {
    for (const PipelineSchedule schedule :
         {PipelineSchedule::gpipe, k1F1B, PipelineSchedule::interleaved, PipelineSchedule::zeroBubble})
        for (const int64_t stages : {1, 2, 3, 4, 8})
            for (const int64_t rounds : {1, 2, 5}) {
                PipelineShape shape{schedule, stages, stages * rounds, 1};
                for (const int64_t chunks : {1, 2, 4}) {
                    shape.chunks = schedule == PipelineSchedule::interleaved ? chunks : 1;
                    const PipelineTimeline timeline = timelineOf(shape);
                    EXPECT_NEAR(timeline.bubbleSeconds(), bubbleFormula(shape, kStage), 1e-9)
                        << static_cast<int>(schedule) << ": " << stages << " stages, " << shape.microBatches
                        << " micro-batches, " << shape.chunks << " chunks";
                }
            }
}

TEST(PipelineTimeline, FewerMicroBatchesThanStagesWorkToo) {
    for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, k1F1B, PipelineSchedule::zeroBubble})
        for (const int64_t microBatches : {1, 2, 3, 5, 7})
            EXPECT_GT(timelineOf({schedule, 4, microBatches}).seconds, 0);
}

TEST(PipelineTimeline, ZeroBubbleIdlesLessThan1F1B) {
    for (const int64_t microBatches : {2, 4, 8, 16})
        EXPECT_LT(timelineOf({PipelineSchedule::zeroBubble, 4, microBatches}).bubbleSeconds(),
                  timelineOf({k1F1B, 4, microBatches}).bubbleSeconds());
    EXPECT_NEAR(timelineOf({k1F1B, 4, 8}).bubbleSeconds() / (8 * 3.0), 0.375, 1e-9);  // 3 of 8
}

TEST(PipelineTimeline, ASlowStageMakesTheOthersWait) {
    const PipelineShape shape{k1F1B, 4, 8};
    PipelineSeconds seconds = equalStages(shape);
    seconds.pieces[2] = {2.0, 2.4, 1.6};
    const PipelineTimeline timeline = pipelineTimeline(shape, pipelineOperations(shape), seconds).orThrow();
    EXPECT_NEAR(timeline.busySeconds(2), 48, 1e-9);
    EXPECT_GT(timeline.idleSeconds(0), timeline.idleSeconds(2) + 23);
    EXPECT_NEAR(timeline.bubbleSeconds(), timeline.idleSeconds(2), 1e-9);
}

TEST(PipelineTimeline, TransfersCountBetweenStagesOnly) {
    const PipelineShape two{k1F1B, 2, 1};
    PipelineSeconds seconds = equalStages(two);
    seconds.transfer = 0.25;
    EXPECT_NEAR(pipelineTimeline(two, pipelineOperations(two), seconds).orThrow().seconds, 6.5, 1e-9);
    const PipelineShape one{PipelineSchedule::interleaved, 1, 1, 2};
    seconds.pieces = equalStages(one).pieces;
    EXPECT_NEAR(pipelineTimeline(one, pipelineOperations(one), seconds).orThrow().seconds, 3, 1e-9);
}

TEST(PipelineTimeline, ListsThatCannotBeCarriedOutAreNamed) {
    const PipelineShape shape{k1F1B, 2, 2};
    const std::vector<StageOperations> good = pipelineOperations(shape);
    EXPECT_EQ(complaint(shape, good), "");
    std::vector<StageOperations> lists = good;
    std::swap(lists[1][0], lists[1][1]);  // backward before its forward
    EXPECT_NE(complaint(shape, lists).find("deadlock: nothing sends the input of"), std::string::npos);
    lists = good;
    lists[0].pop_back();
    EXPECT_NE(complaint(shape, lists).find("missing: input_backward of micro-batch 1"), std::string::npos);
    lists = good;
    lists[0].insert(lists[0].begin(), lists[0].front());
    EXPECT_NE(complaint(shape, lists).find("twice: forward of micro-batch 0"), std::string::npos);
    lists = good;
    lists[0].front().microBatch = 9;
    EXPECT_NE(complaint(shape, lists).find("there is no forward of micro-batch 9"), std::string::npos);
    EXPECT_NE(complaint(shape, {good[0]}).find("1 lists for 2 stages"), std::string::npos);
}

TEST(PipelineTimeline, DurationsMustBeThoseOfItsPieces) {
    const PipelineShape shape{k1F1B, 2, 2};
    EXPECT_FALSE(pipelineTimeline(shape, pipelineOperations(shape), {{kStage}}).ok());
}

}  // namespace
}  // namespace unmask
