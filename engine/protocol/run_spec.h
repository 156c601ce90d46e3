// SPDX-License-Identifier: Apache-2.0
// Everything that defines a run. run.json, run files, forms, flags and presets all hold this struct and nothing else.
#pragma once

#include "engine/protocol/data_config.h"
#include "engine/protocol/model_config.h"
#include "engine/protocol/objective_config.h"
#include "engine/protocol/optimizer_config.h"
#include "engine/protocol/parallel_config.h"
#include "engine/protocol/training_config.h"

namespace unmask {

struct RunSpec {
    ModelConfig model;
    TokenizerConfig tokenizer;
    DataConfig data;
    ObjectiveConfig objective;
    OptimizerConfig optimizer;
    TrainingConfig training;
    ParallelConfig parallel;
    CheckpointConfig checkpoint;
    ValidationConfig validation;
    SamplingConfig sampling;
    LaunchConfig launch;
    bool operator==(const RunSpec&) const = default;

    int64_t effectiveMicroBatch() const {
        return parallel.microBatchSize > 0 ? parallel.microBatchSize : training.batchSize / parallel.dataParallelSize;
    }

    static constexpr auto fields =
        std::tuple{field("model", &RunSpec::model, {.label = {"Model", "模型"}}),
                   field("tokenizer", &RunSpec::tokenizer, {.label = {"Tokenizer", "分词器"}}),
                   field("data", &RunSpec::data, {.label = {"Data", "数据"}}),
                   field("objective", &RunSpec::objective, {.label = {"Objective", "训练目标"}}),
                   field("optimizer", &RunSpec::optimizer, {.label = {"Optimizer", "优化器"}}),
                   field("training", &RunSpec::training, {.label = {"Training", "训练"}}),
                   field("parallel", &RunSpec::parallel, {.label = {"Layout", "布局"}}),
                   field("checkpoint", &RunSpec::checkpoint, {.label = {"Checkpoints", "检查点"}}),
                   field("validation", &RunSpec::validation, {.label = {"Validation", "验证"}}),
                   field("sampling", &RunSpec::sampling, {.label = {"Samples", "样本"}}),
                   field("launch", &RunSpec::launch, {.label = {"Launch", "启动"}})};
};

}  // namespace unmask
