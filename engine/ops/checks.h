// SPDX-License-Identifier: Apache-2.0
// Argument checks that every op makes before a tensor becomes a pointer, and the choice by device.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "engine/base/error.h"

namespace unmask::ops {

// A wrong shape here is a mistake of the caller, not of the user.
inline void require(bool condition, const char* op, const char* what) {
    if (!condition)
        throw Error{ErrorCode::internal, std::string("[") + op + "] " + what};
}

inline bool isMatrix(const at::Tensor& t, int64_t rows, int64_t columns) {
    return t.defined() && t.dim() == 2 && t.size(0) == rows && t.size(1) == columns &&
           (columns == 1 || t.stride(1) == 1);
}
inline bool isDenseMatrix(const at::Tensor& t, int64_t rows, int64_t columns) {
    return isMatrix(t, rows, columns) && t.is_contiguous();
}
inline bool isVector(const at::Tensor& t, int64_t size) {
    return t.defined() && t.dim() == 1 && t.size(0) == size && t.is_contiguous();
}

// True: the tensor lies on a GPU and the work goes to ops/cuda. Otherwise the CPU must be able to compute with it.
inline bool onGpu(const at::Tensor& tensor, const char* op) {
    if (tensor.is_cuda())
        return true;
    const auto type = tensor.scalar_type();
    if (!tensor.is_cpu() || (type != at::kFloat && type != at::kDouble))
        throw Error{ErrorCode::badInput, std::string("[") + op + "] the CPU computes in fp32 or fp64 only"};
    return false;
}

}  // namespace unmask::ops
