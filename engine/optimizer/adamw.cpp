// SPDX-License-Identifier: Apache-2.0
#include "engine/optimizer/adamw.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "engine/ops/adamw.h"
#include "engine/optimizer/gradient_clip.h"

namespace unmask {

AdamW::AdamW(const std::vector<Slab>& slabs) : m_states{{"adam_m", {}}, {"adam_v", {}}} {
    for (OptimizerState& state : m_states)
        for (const Slab& slab : slabs)
            state.slabs.push_back(at::zeros_like(slab.values));
}

UpdateReport AdamW::update(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate) {
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    UpdateReport report;
    report.gradientNorm = gradientNorm(slabs);
    if (m_sum)
        report.gradientNorm = std::sqrt(m_sum(report.gradientNorm * report.gradientNorm));
    if (!std::isfinite(report.gradientNorm))
        return report;
    report.clipFactor = clipFactor(report.gradientNorm, config.gradientClip);
    report.applied = true;
    ++m_updates;
    for (size_t i = 0; i < slabs.size(); ++i) {
        AdamWArgs args;
        args.m = m_states[0].slabs[i];
        args.v = m_states[1].slabs[i];
        args.learningRate = learningRate;
        args.beta1 = config.beta1;
        args.beta2 = config.beta2;
        args.epsilon = config.epsilon;
        args.weightDecay = config.weightDecay;
        args.gradientScale = report.clipFactor;
        args.updates = m_updates;
        adamwUpdate(slabs[i], args);
    }
    return report;
}

}  // namespace unmask
