// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/linear.h"

#include "engine/ops/cuda/gemm.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/column_sums/column_sums.h"

namespace unmask::cuda {

void linearForward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& y) {
    gemm({.a = x, .b = weight, .c = y, .transposeB = true, .bias = bias});
}

void linearBackwardInput(const at::Tensor& gradientY, const at::Tensor& weight, const at::Tensor& gradientX) {
    gemm({.a = gradientY, .b = weight, .c = gradientX});
}

void linearBackwardWeight(const at::Tensor& gradientY, const at::Tensor& x, const at::Tensor& weightGradient,
                          const at::Tensor& biasGradient) {
    gemm({.a = gradientY, .b = x, .c = weightGradient, .transposeA = true, .accumulate = true});
    if (biasGradient.defined())
        linearBackwardBias(gradientY, biasGradient);
}

void linearBackwardBias(const at::Tensor& gradientY, const at::Tensor& biasGradient) {
    const auto columns = static_cast<int>(gradientY.size(1));
    check(kernels::columnSums({.x = gradientY.const_data_ptr(),
                               .sums = biasGradient.data_ptr(),
                               .scratch = static_cast<float*>(
                                   scratch(static_cast<size_t>(kernels::columnSumsScratch(columns)) * sizeof(float))),
                               .rows = gradientY.size(0),
                               .stride = gradientY.stride(0),
                               .C = columns,
                               .dtype = dtypeOf(gradientY),
                               .sumsDtype = dtypeOf(biasGradient)},
                              currentStream()));
}

}  // namespace unmask::cuda
