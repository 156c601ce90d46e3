// SPDX-License-Identifier: Apache-2.0
// Exact-count masked diffusion, the default: n of Lm positions are masked, n uniform on 1..Lm, weight Lm / n. The same
// bound as weight 1/t with the noise of the count gone (∫ t^(n−1) (1−t)^(L−n) dt · C(L, n) = 1/n).
#pragma once

#include "engine/objective/masked_diffusion.h"

namespace unmask {

class ExactCount final : public MaskedDiffusion {
 public:
    using MaskedDiffusion::MaskedDiffusion;

 protected:
    Draw draw(const Level& level, int64_t maskable) const override;
    // The n smallest of (key << 32 | position): no ties, and masked sets of a sample are nested in n.
    void chooseMasked(const SampleSlot& slot, const Draw& draw, std::vector<int32_t>& positions) const override;
};

}  // namespace unmask
