// SPDX-License-Identifier: Apache-2.0
// What a run will take, before it starts: parameters, memory, arithmetic, time, and what stands in its way. The studio,
// `plan` and the engine all ask here, so they agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/planner/hardware.h"
#include "engine/planner/layer_memory.h"
#include "engine/planner/model_shape.h"
#include "engine/protocol/spec_json.h"

namespace unmask {

// Of one rank. All in bytes.
struct MemoryBytes {
    int64_t weights = 0;
    int64_t gradients = 0;
    int64_t optimizer = 0;  // moments, and fp32 masters at lower precision
    int64_t activations = 0;
    int64_t logits = 0;
    int64_t buffers = 0;        // work space of the step
    int64_t communication = 0;  // what is sent, received and gathered; 0 on one device
    int64_t overhead = 0;       // the program and its libraries
    int64_t total() const {
        return weights + gradients + optimizer + activations + logits + buffers + communication + overhead;
    }
};

struct MemoryVerdict {
    std::optional<bool> fits;         // empty when the free memory is unknown
    std::optional<double> freeBytes;  // on the device the run would use
    std::string en, zh;               // "Needs 1.2 GiB; 14.9 GiB are free."
};

struct Plan {
    ModelConfig model;  // vocabulary resolved
    ParameterCounts parameters;
    MemoryBytes memory;
    double flopsPerToken = 0;  // the model's, see modelFlopsPerToken
    int64_t tokensPerStep = 0;
    int64_t microSteps = 1;  // micro-batches an update
    double flopsPerStep = 0;
    std::optional<double> secondsPerStep;  // an estimate; empty when the machine's speed is unknown
    std::optional<double> totalSeconds;
    MemoryVerdict verdict;
    std::vector<Problem> problems;  // layout, device and memory; checkSpec has the rest
};

// What a run is planned for.
struct PlanTarget {
    int64_t threads = 1;  // of a rank
    bool gpu = false;
};
// A GPU where the spec or its precision demands one, or where `auto` finds one that this build can use.
PlanTarget planTarget(const RunSpec& spec, const Hardware& hardware);
bool builtForGpus();  // this build trains on GPUs

Plan planRun(const RunSpec& spec, const Hardware& hardware);
MemoryBytes planMemory(const RunSpec& spec, const PlanTarget& target);  // of the rank that needs most
MemoryVerdict memoryFits(const RunSpec& spec, const Hardware& hardware);
std::vector<Problem> layoutProblems(const RunSpec& spec);
Json planToJson(const Plan& plan);
Json memoryToJson(const MemoryBytes& memory);

}  // namespace unmask
