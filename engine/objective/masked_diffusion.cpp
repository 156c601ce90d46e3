// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/masked_diffusion.h"

#include <algorithm>
#include <string>

#include "engine/base/error.h"
#include "engine/objective/strata.h"

namespace unmask {

void MaskedDiffusion::beginStep(const GlobalBatch& batch) {
    const auto slots = static_cast<int64_t>(batch.slots.size());
    const auto strata = m_stratified ? permutedStrata(m_keys, batch.step, slots) : std::vector<int64_t>{};
    m_draws.clear();
    m_figures = {};
    for (const SampleSlot& slot : batch.slots) {
        const int64_t maskable = slot.length;
        if (maskable == 0) {
            ++m_figures.droppedSamples;
            continue;
        }
        m_figures.maskable += maskable;
        const uint32_t place = m_keys.bits32(NoiseTag::count, static_cast<uint64_t>(slot.datasetIndex),
                                             static_cast<uint32_t>(slot.visit), 0);
        const Level level =
            m_stratified ? Level{strata[static_cast<size_t>(slot.slot)], slots, place} : Level{0, 1, place};
        m_draws.emplace(slot.slot, draw(level, maskable));
    }
    m_figures.normaliser = m_figures.maskable;
}

NoisyBatch MaskedDiffusion::corrupt(const MicroBatch& batch) const {
    NoisyBatch noisy{.rows = batch.rows, .length = batch.length, .tokens = batch.tokens};
    struct Scored {
        int32_t row;
        int32_t slot;
        double weight;
    };
    std::vector<Scored> scored;
    std::vector<int32_t> positions;
    for (size_t s = 0; s < batch.slots.size(); ++s) {
        const SampleSlot& slot = batch.slots[s];
        if (slot.length == 0)
            continue;
        const auto found = m_draws.find(slot.slot);
        if (found == m_draws.end())
            throw Error{ErrorCode::internal, "[objective] slot " + std::to_string(slot.slot) +
                                                 " is not part of the global batch of this step"};
        positions.clear();
        chooseMasked(slot, found->second, positions);
        noisy.masked += static_cast<int64_t>(positions.size());
        for (const int32_t position : positions) {
            const auto row = static_cast<int32_t>(slot.row * batch.length + slot.begin + position);
            noisy.tokens[static_cast<size_t>(row)] = m_tokens.mask;
            if (m_tokens.excludeMaskLogit && batch.tokens[static_cast<size_t>(row)] == m_tokens.mask)
                continue;  // its probability is 0 by construction: hidden, but not scored
            scored.push_back({row, static_cast<int32_t>(s), found->second.weight});
        }
    }
    std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.row < b.row; });
    for (const Scored& each : scored) {
        noisy.maskedRows.push_back(each.row);
        noisy.targets.push_back(batch.tokens[static_cast<size_t>(each.row)]);
        noisy.weights.push_back(each.weight / static_cast<double>(m_figures.normaliser));
        noisy.slots.push_back(each.slot);
    }
    return noisy;
}

}  // namespace unmask
