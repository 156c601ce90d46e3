// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/registry.h"

#include <array>
#include <string>

#include "engine/base/error.h"
#include "engine/objective/exact_count.h"
#include "engine/objective/inverse_t.h"

namespace unmask {

namespace {

ObjectiveTokens tokensOf(const ObjectiveConfig& config, int32_t maskToken) {
    return {.mask = maskToken, .excludeMaskLogit = config.excludeMaskLogit};
}

bool isStratified(const ObjectiveConfig& config) {
    return config.timeSampling == TimeSampling::stratified;
}

std::unique_ptr<Objective> makeExactCount(const ObjectiveConfig& config, NoiseKeys keys, int32_t maskToken) {
    return std::make_unique<ExactCount>(keys, tokensOf(config, maskToken), isStratified(config));
}

std::unique_ptr<Objective> makeInverseT(const ObjectiveConfig& config, NoiseKeys keys, int32_t maskToken) {
    return std::make_unique<InverseT>(keys, tokensOf(config, maskToken), isStratified(config), config.noiseFloor);
}

constexpr std::array kObjectives{ObjectiveEntry{ObjectiveKind::exactCount, true, &makeExactCount},
                                 ObjectiveEntry{ObjectiveKind::inverseT, true, &makeInverseT}};

}  // namespace

std::span<const ObjectiveEntry> allObjectives() {
    return kObjectives;
}

std::unique_ptr<Objective> makeObjective(const ObjectiveConfig& config, NoiseKeys keys, int32_t maskToken) {
    for (const ObjectiveEntry& entry : kObjectives)
        if (entry.kind == config.kind)
            return entry.make(config, keys, maskToken);
    throw Error{ErrorCode::badInput, "[objective] no objective is registered as " + std::string(wordOf(config.kind))};
}

}  // namespace unmask
