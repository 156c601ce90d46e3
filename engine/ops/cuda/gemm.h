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
};
// a and b have one type; c has it too, or float.
void gemm(const GemmArgs& args);

}  // namespace unmask::cuda
