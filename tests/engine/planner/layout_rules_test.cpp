// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layout_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The sentences of `severity` about `path`, joined.
std::string said(const std::vector<Problem>& problems, std::string_view path, Severity severity = Severity::error) {
    std::string all;
    for (const Problem& problem : problems) {
        EXPECT_FALSE(problem.en.empty() || problem.zh.empty()) << problem.path;
        if (problem.path == path && problem.severity == severity)
            all += problem.en;
    }
    return all;
}

class LayoutRules : public testing::Test {
 protected:
    std::string refused(std::string_view path) const { return said(layoutRules(m_spec), path); }
    std::string warned(std::string_view path) const { return said(layoutRules(m_spec), path, Severity::warning); }

    RunSpec m_spec = smallSpec();  // 4 layers × 128, 4 heads, 320 columns, 64 tokens, 32 rows
    ParallelConfig& m_parallel = m_spec.parallel;
};

TEST_F(LayoutRules, OneDeviceAndWhatDividesIsLegal) {
    EXPECT_THAT(layoutRules(m_spec), IsEmpty());
    m_parallel.dataParallelSize = 2;
    m_parallel.tensorParallelSize = 4;
    m_parallel.pipelineStages = 2;
    m_parallel.contextParallelSize = 2;
    m_parallel.zeroStage = 1;
    m_parallel.microBatchSize = 4;
    EXPECT_THAT(layoutRules(m_spec), IsEmpty());
    EXPECT_TRUE(isLegalLayout(m_spec));
}

TEST_F(LayoutRules, TensorPartsDivideHeadsColumnsAndVocabulary) {
    m_parallel.tensorParallelSize = 3;
    m_spec.model.vocabularySize = 256;
    EXPECT_THAT(
        refused("parallel.tensor_parallel_size"),
        testing::AllOf(HasSubstr("3 does not divide the 4 attention heads."),
                       HasSubstr("320 columns of the feed-forward part"), HasSubstr("256 rows of the vocabulary")))
        << "each in words";
    m_parallel.tensorParallelSize = 4;
    m_spec.model.keyValueHeads = 2;
    EXPECT_THAT(refused("parallel.tensor_parallel_size"), HasSubstr("4 does not divide the 2 key and value heads."));
    m_spec.model.keyValueHeads = 0;
    m_spec.model.experts = 8;
    m_spec.model.expertWidth = 66;
    EXPECT_THAT(refused("parallel.tensor_parallel_size"), HasSubstr("66 columns of an expert"));
}

TEST_F(LayoutRules, SequenceParallelSharesTokensOfTensorParts) {
    m_parallel.sequenceParallel = true;
    EXPECT_THAT(warned("parallel.sequence_parallel"), HasSubstr("there is one"));
    m_parallel.tensorParallelSize = 4;
    EXPECT_THAT(layoutRules(m_spec), IsEmpty());
    m_spec.model.sequenceLength = 66;
    EXPECT_THAT(refused("parallel.sequence_parallel"), HasSubstr("4 does not divide the 66 tokens of a row."));
}

TEST_F(LayoutRules, StagesDivideLayersAndWantMicroBatches) {
    m_parallel.pipelineStages = 3;
    EXPECT_THAT(refused("parallel.pipeline_stages"), HasSubstr("3 does not divide the 4 layers."));
    m_parallel.pipelineStages = 2;
    EXPECT_THAT(warned("parallel.micro_batch_size"), HasSubstr("1 micro-batches for 2 stages"));
    m_parallel.microBatchSize = 4;
    EXPECT_THAT(layoutRules(m_spec), IsEmpty());
    m_parallel.virtualStages = 2;
    EXPECT_THAT(refused("parallel.virtual_stages"), HasSubstr("Only the interleaved schedule"));
    m_parallel.schedule = PipelineSchedule::interleaved;
    EXPECT_THAT(layoutRules(m_spec), IsEmpty());
    m_parallel.virtualStages = 3;
    EXPECT_THAT(refused("parallel.virtual_stages"), HasSubstr("2 stages of 3 chunks do not divide the 4 layers."));
    m_parallel.virtualStages = 2;
    m_parallel.pipelineStages = 2;
    m_parallel.microBatchSize = 32;
    EXPECT_THAT(refused("parallel.schedule"), HasSubstr("2 stages to divide the 1 micro-batches"));
    m_parallel.microBatchSize = 4;
    m_parallel.dataParallelSize = 2;
    m_parallel.zeroStage = 3;
    EXPECT_THAT(refused("parallel.zero_stage"), HasSubstr("choose ZeRO-1"));
}

TEST_F(LayoutRules, CopiesAndMicroBatchesDivideTheBatchAndContextTheRow) {
    m_parallel.dataParallelSize = 5;
    EXPECT_THAT(refused("parallel.data_parallel_size"), HasSubstr("5 does not divide the 32 rows of the batch."));
    m_parallel.dataParallelSize = 4;
    m_parallel.microBatchSize = 3;
    EXPECT_THAT(refused("parallel.micro_batch_size"), HasSubstr("3 × 4"));
    m_parallel = {};
    m_parallel.contextParallelSize = 3;
    EXPECT_THAT(refused("parallel.context_parallel_size"), HasSubstr("3 does not divide the 64 tokens of a row."));
    m_parallel = {};
    m_parallel.zeroStage = 1;
    EXPECT_THAT(warned("parallel.zero_stage"), HasSubstr("there is one"));
}

TEST_F(LayoutRules, ExpertsAreSharedAmongCopies) {
    m_parallel.dataParallelSize = 4;
    m_parallel.expertParallelSize = 4;
    EXPECT_THAT(refused("parallel.expert_parallel_size"), HasSubstr("has no experts"));
    m_spec.model.experts = 6;
    EXPECT_THAT(refused("parallel.expert_parallel_size"), HasSubstr("4 does not divide the 6 experts."));
    m_spec.model.experts = 8;
    EXPECT_THAT(layoutRules(m_spec), IsEmpty());
    m_parallel.dataParallelSize = 2;
    EXPECT_THAT(refused("parallel.expert_parallel_size"), HasSubstr("4 does not divide the 2 copies."));
}

TEST_F(LayoutRules, HalfFilledFormsAreRefusedAndDivideNothing) {
    m_parallel.dataParallelSize = 0;
    EXPECT_THAT(refused("parallel"), HasSubstr("begin at 1"));
    m_parallel = {};
    m_spec.model.heads = 0;
    EXPECT_TRUE(hasErrors(layoutRules(m_spec)));
}

TEST_F(LayoutRules, RanksAreAsManyAsDevices) {
    const MachineSet gpus = machinesOf(*knownDevice("H100", 0), 2, 4);
    m_parallel.dataParallelSize = 16;
    EXPECT_THAT(said(machineRules(m_parallel, gpus), "parallel"), HasSubstr("needs 16 devices; there are 8."));
    EXPECT_FALSE(isLegalLayout(m_spec, &gpus));
    m_parallel.dataParallelSize = 4;
    EXPECT_THAT(said(machineRules(m_parallel, gpus), "parallel", Severity::warning), HasSubstr("uses 4 of 8 devices"));
    m_parallel.dataParallelSize = 1;
    m_parallel.tensorParallelSize = 8;
    EXPECT_THAT(said(machineRules(m_parallel, gpus), "parallel.tensor_parallel_size", Severity::warning),
                HasSubstr("leaves the node of 4"));
    m_parallel = {};
    m_parallel.dataParallelSize = 8;
    const MachineSet cores = coresOf(twoCores());
    EXPECT_FALSE(hasErrors(machineRules(m_parallel, cores)));
    EXPECT_THAT(said(machineRules(m_parallel, cores), "parallel", Severity::warning),
                HasSubstr("8 processes share 2 cores"));
}

// What the engine refuses, and nothing else, may not be called runnable (layout.cpp).
TEST_F(LayoutRules, WhatRunsTodayIsWhatTheEngineDoesNotRefuse) {
    const MachineSet cores = coresOf(twoCores());
    m_parallel.dataParallelSize = 2;
    m_parallel.zeroStage = 3;
    EXPECT_TRUE(isLegalLayout(m_spec, &cores, Reach::runsToday));
    EXPECT_THAT(layoutProblems(m_spec), IsEmpty());
    m_parallel = {};
    m_parallel.pipelineStages = 2;
    EXPECT_TRUE(isLegalLayout(m_spec, &cores));
    EXPECT_EQ(isLegalLayout(m_spec, &cores, Reach::runsToday), !hasErrors(layoutProblems(m_spec)));
    m_parallel = {};
    m_parallel.dataParallelSize = 2;
    const MachineSet gpus = machinesOf(*knownDevice("H100", 0), 1, 2);
    m_spec.training.precision = Precision::bf16;
    EXPECT_TRUE(isLegalLayout(m_spec, &gpus));
    EXPECT_EQ(isLegalLayout(m_spec, &gpus, Reach::runsToday), !hasErrors(engineLimits(m_spec, gpus)));
}

TEST_F(LayoutRules, WordsNameWhatIsThere) {
    EXPECT_EQ(layoutWords(m_parallel).en, "one device");
    m_parallel.dataParallelSize = 2;
    m_parallel.tensorParallelSize = 4;
    m_parallel.zeroStage = 1;
    m_parallel.activationCheckpointing = Checkpointing::full;
    EXPECT_EQ(layoutWords(m_parallel).en, "data 2 × tensor 4, ZeRO-1, blocks recomputed");
    EXPECT_THAT(layoutWords(m_parallel).zh, HasSubstr("数据 2 × 张量 4"));
}

TEST_F(LayoutRules, SizesThatAModelAllows) {
    EXPECT_THAT(legalSizes(m_spec, "parallel.tensor_parallel_size", 16), testing::ElementsAre(1, 2, 4));
    EXPECT_THAT(legalSizes(m_spec, "parallel.pipeline_stages", 3), testing::ElementsAre(1, 2));
    EXPECT_THAT(legalSizes(m_spec, "parallel.data_parallel_size", 10), testing::ElementsAre(1, 2, 4, 8));
    EXPECT_THAT(legalSizes(m_spec, "parallel.expert_parallel_size", 10), testing::ElementsAre(1));
    m_spec.model.experts = 6;
    EXPECT_THAT(legalSizes(m_spec, "parallel.expert_parallel_size", 10), testing::ElementsAre(1, 2, 3, 6));
}

}  // namespace
}  // namespace unmask
