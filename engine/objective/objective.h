// SPDX-License-Identifier: Apache-2.0
// An objective is {noisy tokens, masked set M, weight per masked token, normaliser N} and nothing else:
//   loss = (1/N) · Σ_samples Σ_{i in M} w_i · (−log p(x_i | noisy tokens)), natural log.
// The noise belongs to the sample (engine/base/noise_keys.h): micro-batch, row and layout never change it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/data/batch.h"

namespace unmask {

// One micro-batch as the model sees it. Rows are counted inside the micro-batch.
struct NoisyBatch {
    int64_t rows = 0;
    int64_t length = 0;
    std::vector<int32_t> tokens;      // rows · length, MASK on M
    std::vector<int32_t> maskedRows;  // row · length + position, ascending
    std::vector<int32_t> targets;     // clean id of each masked row
    std::vector<double> weights;      // w / N of each masked row
    std::vector<int32_t> slots;       // index into MicroBatch::slots of each masked row
    int64_t masked = 0;               // drawn positions; maskedRows may be fewer (a literal MASK cannot be predicted)
};

// Figures of a global batch that follow from lengths alone.
struct BatchFigures {
    int64_t normaliser = 0;      // N
    int64_t maskable = 0;        // Σ Lm over the batch
    int64_t droppedSamples = 0;  // Lm = 0: not in the loss
};

class Objective {
 public:
    virtual ~Objective() = default;
    // Once a global batch, on the host. Every rank computes the same small arrays.
    virtual void beginStep(const GlobalBatch& batch) = 0;
    virtual NoisyBatch corrupt(const MicroBatch& batch) const = 0;
    virtual const BatchFigures& figures() const = 0;
};

}  // namespace unmask
