// SPDX-License-Identifier: Apache-2.0
// Matrix products through cuBLASLt with the algorithm searched once for each shape on the device and kept on disk. Sums
// run in float whatever the storage type.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace unmask::cuda {

struct GemmArgs {
    at::Tensor a;  // (M, K), or (K, M) where transposed; rows may be strided, like b's and c's
    at::Tensor b;  // (K, N), or (N, K) where transposed
    at::Tensor c;  // (M, N)
    bool transposeA = false;
    bool transposeB = false;
    bool accumulate = false;  // c += a · b
    at::Tensor bias;          // (N), added to each row; undefined without
    // Factors in fp8 alone: what a code is worth lies in the first element. The library takes these only with the
    // summed dimension contiguous, that is, with b transposed and a as it is.
    at::Tensor scaleA, scaleB;
    bool fastAccumulation = false;
};
// a and b have one type, or are both in fp8; c has it too, or float. With fp8, c is bfloat16 or float.
void gemm(const GemmArgs& args);

}  // namespace unmask::cuda
