// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/linear.h"

#include "engine/ops/cuda/gemm.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/column_sums/column_sums.h"

namespace unmask::cuda {

namespace {

void addColumnSums(const at::Tensor& x, const at::Tensor& sums) {
    const auto columns = static_cast<int>(x.size(1));
    check(kernels::columnSums({.x = x.const_data_ptr(),
                               .sums = sums.data_ptr(),
                               .scratch = static_cast<float*>(
                                   scratch(static_cast<size_t>(kernels::columnSumsScratch(columns)) * sizeof(float))),
                               .rows = x.size(0),
                               .stride = x.stride(0),
                               .C = columns,
                               .dtype = dtypeOf(x),
                               .sumsDtype = dtypeOf(sums)},
                              currentStream()));
}

}  // namespace

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
        addColumnSums(gradientY, biasGradient);
}

}  // namespace unmask::cuda
