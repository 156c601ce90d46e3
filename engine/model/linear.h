// SPDX-License-Identifier: Apache-2.0
// y = x · weightᵀ + bias over slices of a slab. The place where a sharding over devices will attach.
#pragma once

#include "engine/model/layer.h"
#include "engine/model/parameters.h"

namespace unmask {

class Linear {
 public:
    Linear() = default;
    // Several names: their matrices stand on top of each other and are multiplied as one.
    Linear(const SlabBinding& slab, const std::vector<std::string>& names);

    void forward(const at::Tensor& x, const at::Tensor& y) const;
    void backwardInput(const at::Tensor& gradientY, const at::Tensor& gradientX) const;
    void backwardWeight(const at::Tensor& gradientY, const at::Tensor& x, const at::Tensor& scratch) const;

 private:
    Weight m_weight;
    Weight m_bias;
};

}  // namespace unmask
