// SPDX-License-Identifier: Apache-2.0
#include "engine/model/norm.h"

#include "engine/ops/norm.h"

namespace unmask {

Norm::Norm(const SlabBinding& slab, const std::string& name, double epsilon)
    : m_weight(slab(name + ".weight")), m_bias(slab(name + ".bias")), m_epsilon(epsilon) {}

void Norm::forward(const Stream& in, const Buffers& out) const {
    normForward({.x = in.x,
                 .delta = in.delta,
                 .weight = m_weight.value,
                 .bias = m_bias.value,
                 .epsilon = m_epsilon,
                 .sum = out.sum,
                 .y = out.y,
                 .rstd = out.rstd,
                 .mean = out.mean});
}

void Norm::backward(const at::Tensor& gradientY, const Buffers& saved, const at::Tensor& gradient,
                    const at::Tensor& scratch, bool restoring) const {
    normBackward({.gradientY = gradientY,
                  .sum = saved.sum,
                  .weight = m_weight.value,
                  .rstd = saved.rstd,
                  .mean = saved.mean,
                  .gradient = gradient,
                  .weightGradient = m_weight.gradient,
                  .biasGradient = m_bias.gradient,
                  .scratch = scratch,
                  .y = restoring ? gradientY : at::Tensor{},
                  .bias = restoring ? m_bias.value : at::Tensor{}});
}

}  // namespace unmask
