// SPDX-License-Identifier: Apache-2.0
// Objectives by their kind in the spec. A new one is a file pair and a line in registry.cpp.
#pragma once

#include <memory>
#include <span>

#include "engine/objective/masked_diffusion.h"
#include "engine/protocol/objective_config.h"

namespace unmask {

struct ObjectiveEntry {
    ObjectiveKind kind;
    bool isBound;  // its loss is an upper bound of the negative log-likelihood, in nats a token
    std::unique_ptr<Objective> (*make)(const ObjectiveConfig& config, NoiseKeys keys, int32_t maskToken);
};

std::span<const ObjectiveEntry> allObjectives();
std::unique_ptr<Objective> makeObjective(const ObjectiveConfig& config, NoiseKeys keys, int32_t maskToken);

}  // namespace unmask
