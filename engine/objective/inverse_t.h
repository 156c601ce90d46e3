// SPDX-License-Identifier: Apache-2.0
// Masked diffusion with weight 1/t, the form of LLaDA and SMDM: t = (1 − ε)u + ε, each position masked with probability
// t. Masks compare integers (key < floor(t · 2^32)), so every device agrees bit for bit.
#pragma once

#include "engine/objective/masked_diffusion.h"

namespace unmask {

class InverseT final : public MaskedDiffusion {
 public:
    InverseT(NoiseKeys keys, ObjectiveTokens tokens, bool stratified, double noiseFloor)
        : MaskedDiffusion(keys, tokens, stratified), m_noiseFloor(noiseFloor) {}

 protected:
    Draw draw(const Level& level, int64_t maskable) const override;
    void chooseMasked(const SampleSlot& slot, const Draw& draw, std::vector<int32_t>& positions) const override;

 private:
    double m_noiseFloor;
};

}  // namespace unmask
