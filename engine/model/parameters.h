// SPDX-License-Identifier: Apache-2.0
// Parameters as layers hold them: views into a slab and into its gradients.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "engine/ops/slab.h"
#include "engine/planner/model_shape.h"

namespace unmask {

class Fp8Scales;

struct Weight {
    at::Tensor value;
    at::Tensor gradient;  // undefined in a model without gradients
    bool defined() const { return value.defined(); }
};

// Looks parameters up by name in one slab.
class SlabBinding {
 public:
    SlabBinding(const Slab& slab, const SlabShape& shape, Fp8Scales* fp8 = nullptr)
        : m_slab(slab), m_shape(shape), m_fp8(fp8) {}

    bool has(const std::string& name) const { return find(name) != nullptr; }
    // Names that are neighbours without a gap become one matrix or vector, rows on top of each other. Undefined where
    // the first name does not exist.
    Weight joined(const std::vector<std::string>& names) const;
    Weight operator()(const std::string& name) const { return joined({name}); }
    Fp8Scales* fp8() const { return m_fp8; }  // where products may run in fp8

 private:
    const ParameterShape* find(const std::string& name) const;
    const Slab& m_slab;
    const SlabShape& m_shape;
    Fp8Scales* m_fp8;
};

}  // namespace unmask
