// SPDX-License-Identifier: Apache-2.0
// Shapes, a small run and a small machine that the planner's tests share.
#pragma once

#include "engine/planner/plan.h"

namespace unmask {

inline ModelConfig shape(int64_t layers, int64_t width, int64_t feedForward) {
    ModelConfig model;
    model.layers = layers;
    model.width = width;
    model.heads = width / 64;
    model.feedForwardWidth = feedForward;
    model.vocabularySize = 50304;
    return model;
}

// 24 layers of 1024, 64 rows of 1024 tokens in micro-batches of 8, bf16.
inline RunSpec largeSpec() {
    RunSpec spec;
    spec.model = shape(24, 1024, 2816);
    spec.model.sequenceLength = 1024;
    spec.training.batchSize = 64;
    spec.training.precision = Precision::bf16;
    spec.parallel.microBatchSize = 8;
    return spec;
}

inline RunSpec smallSpec() {
    RunSpec spec;
    spec.model.layers = 4;
    spec.model.width = 128;
    spec.model.heads = 4;
    spec.model.feedForwardWidth = 320;
    spec.model.sequenceLength = 64;
    spec.training.batchSize = 32;
    spec.training.steps = 900;
    return spec;
}

inline Hardware twoCores() {
    Hardware hardware;
    hardware.cores = 2;
    hardware.memoryBytes = 8e9;
    hardware.availableMemoryBytes = 6e9;
    return hardware;
}

}  // namespace unmask
