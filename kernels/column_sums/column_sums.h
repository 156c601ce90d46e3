// SPDX-License-Identifier: Apache-2.0
// sums += sums over rows of x, for gradients of biases. In float and in a fixed order, so the result repeats. Reads x
// once.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct ColumnSumsArgs {
    const void* x;   // (rows, C), row stride `stride`
    void* sums;      // (C), accumulated
    float* scratch;  // columnSumsScratch(C)
    int64_t rows;
    int64_t stride;  // multiple of 8
    int C;           // multiple of 8
    DType dtype;
    DType sumsDtype;
};
Status columnSums(const ColumnSumsArgs& args, Stream stream);
Status columnSumsReference(const ColumnSumsArgs& args);
int64_t columnSumsScratch(int C);

}  // namespace unmask::kernels
