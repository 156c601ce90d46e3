// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/residual_norm/residual_norm.h"

namespace unmask::cuda {

void normForward(const NormArgs& args) {
    // Where nothing is added and the sum is to be another tensor, the kernel copies on its way.
    const bool copies = args.delta.defined() || args.sum.data_ptr() != args.x.data_ptr();
    check(kernels::residualNormForward({.x = pointer(args.x),
                                        .delta = pointer(args.delta),
                                        .weight = pointer(args.weight),
                                        .bias = pointer(args.bias),
                                        .sum = copies ? pointer(args.sum) : nullptr,
                                        .y = pointer(args.y),
                                        .rstd = pointer<float>(args.rstd),
                                        .mean = pointer<float>(args.mean),
                                        .rows = args.x.size(0),
                                        .C = static_cast<int>(args.x.size(1)),
                                        .epsilon = static_cast<float>(args.epsilon),
                                        .dtype = dtypeOf(args.x)},
                                       currentStream()));
}

void normBackward(const NormBackwardArgs& args) {
    const int width = static_cast<int>(args.sum.size(1));
    const auto parts = static_cast<size_t>(kernels::residualNormScratch(width)) * sizeof(float);
    check(kernels::residualNormBackward({.gradientY = pointer(args.gradientY),
                                         .sum = pointer(args.sum),
                                         .weight = pointer(args.weight),
                                         .rstd = pointer<float>(args.rstd),
                                         .mean = pointer<float>(args.mean),
                                         .gradient = pointer(args.gradient),
                                         .weightGradient = pointer(args.weightGradient),
                                         .biasGradient = pointer(args.biasGradient),
                                         .scratch = static_cast<float*>(scratch(parts)),
                                         .y = pointer(args.y),
                                         .bias = pointer(args.bias),
                                         .rows = args.sum.size(0),
                                         .C = width,
                                         .dtype = dtypeOf(args.sum),
                                         .gradientDtype = dtypeOf(args.weightGradient)},
                                        currentStream()));
}

}  // namespace unmask::cuda
