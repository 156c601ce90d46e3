// SPDX-License-Identifier: Apache-2.0
// What both forms of masked diffusion share: draws per slot before the step, masks per sample when its micro-batch
// comes. A form only decides which positions of a sample are masked and what they weigh.
#pragma once

#include <unordered_map>

#include "engine/base/noise_keys.h"
#include "engine/objective/objective.h"

namespace unmask {

struct ObjectiveTokens {
    int32_t mask = 0;
    bool excludeMaskLogit = true;  // the head gives MASK no probability, so a literal MASK is never a target
};

class MaskedDiffusion : public Objective {
 public:
    MaskedDiffusion(NoiseKeys keys, ObjectiveTokens tokens, bool stratified)
        : m_keys(keys), m_tokens(tokens), m_stratified(stratified) {}

    void beginStep(const GlobalBatch& batch) final;
    NoisyBatch corrupt(const MicroBatch& batch) const final;
    const BatchFigures& figures() const final { return m_figures; }

 protected:
    struct Draw {
        int64_t maskable = 0;
        int64_t count = 0;       // exact count: how many are masked
        uint64_t threshold = 0;  // Bernoulli: masked when the key is below it
        double weight = 0;       // w, before the division by N
    };
    // Noise level of a slot: its stratum (0 of 1 when levels are independent) and the place inside it.
    struct Level {
        int64_t stratum;
        int64_t strata;
        uint32_t place;
    };
    virtual Draw draw(const Level& level, int64_t maskable) const = 0;
    // Ascending positions of the masked set, inside the sample.
    virtual void chooseMasked(const SampleSlot& slot, const Draw& draw, std::vector<int32_t>& positions) const = 0;

    uint32_t maskKey(const SampleSlot& slot, int64_t position) const {
        return m_keys.bits32(NoiseTag::mask, static_cast<uint64_t>(slot.datasetIndex),
                             static_cast<uint32_t>(slot.visit), static_cast<uint64_t>(position));
    }

 private:
    NoiseKeys m_keys;
    ObjectiveTokens m_tokens;
    bool m_stratified;
    std::unordered_map<int64_t, Draw> m_draws;  // by slot
    BatchFigures m_figures;
};

}  // namespace unmask
