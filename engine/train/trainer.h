// SPDX-License-Identifier: Apache-2.0
// Training from C++ in a few lines. Runs in this process and leaves behind an ordinary run folder, which the studio and
// the command line can watch, resume and sample from.
//
//   Trainer trainer("first-steps", ParallelConfig{}, "runs/shakespeare");
//   const TrainingSummary summary = trainer.train("train.txt", "validation.txt", 3, 32);
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "engine/protocol/run_spec.h"

namespace unmask {

struct TrainingSummary {
    int64_t steps = 0;
    double validationLoss = 0;                 // bound in nats a token; NaN when nothing was validated
    std::map<std::string, double> lastValues;  // newest value of each metric
    std::filesystem::path checkpoint;          // folder of the last good one
};

class Trainer {
 public:
    // modelName: a preset. checkpointPath: the run folder; one that has been trained before is gone on with.
    Trainer(const std::string& modelName, const ParallelConfig& parallel, std::filesystem::path checkpointPath);

    RunSpec& spec() { return m_spec; }  // for everything else, before train()

    // Throws Error. An empty validationDataset holds back a share of the training data.
    TrainingSummary train(const std::filesystem::path& trainDataset, const std::filesystem::path& validationDataset,
                          int64_t epochs, int64_t batchSize);

 private:
    RunSpec m_spec;
    std::filesystem::path m_checkpointPath;
};

}  // namespace unmask
