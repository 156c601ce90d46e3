// SPDX-License-Identifier: Apache-2.0
// The flat buffers that hold the parameters of one part of the model (embedding, a block, head) and their gradients.
// Adam is one launch a slab, a checkpoint stores named slices.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace unmask {

struct Slab {
    std::string name;
    at::Tensor values;           // (elements), contiguous
    at::Tensor gradients;        // (elements), contiguous; accumulates until zeroed
    int64_t matrixElements = 0;  // leading part that weight decay acts on
    at::Tensor masters;          // (elements) float, what `values` are rounded from; undefined where they are exact
};

}  // namespace unmask
