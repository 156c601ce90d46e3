// SPDX-License-Identifier: Apache-2.0
#include "engine/model/linear.h"

#include "engine/ops/linear.h"

namespace unmask {

namespace {

std::vector<std::string> withSuffix(const std::vector<std::string>& names, const char* suffix) {
    std::vector<std::string> full;
    for (const std::string& name : names)
        full.push_back(name + suffix);
    return full;
}

}  // namespace

Linear::Linear(const SlabBinding& slab, const std::vector<std::string>& names)
    : m_weight(slab.joined(withSuffix(names, ".weight"))), m_bias(slab.joined(withSuffix(names, ".bias"))) {}

void Linear::forward(const at::Tensor& x, const at::Tensor& y) const {
    linearForward(x, m_weight.value, m_bias.value, y);
}

void Linear::backwardInput(const at::Tensor& gradientY, const at::Tensor& gradientX) const {
    linearBackwardInput(gradientY, m_weight.value, gradientX);
}

void Linear::backwardWeight(const at::Tensor& gradientY, const at::Tensor& x, const at::Tensor& scratch) const {
    linearBackwardWeight(gradientY, x, m_weight.gradient, m_bias.gradient, scratch);
}

}  // namespace unmask
