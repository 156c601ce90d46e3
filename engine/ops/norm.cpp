// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/norm.h"

#include <ATen/Parallel.h>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/float_copies.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::isDenseMatrix;
using ops::isVector;
using ops::require;

void normForward(const NormArgs& args) {
    const char* op = "norm";
    require(args.x.defined() && args.x.dim() == 2, op, "x must be a matrix");
    const int64_t n = args.x.size(0);
    const int64_t c = args.x.size(1);
    require(isDenseMatrix(args.x, n, c) && isDenseMatrix(args.sum, n, c) && isDenseMatrix(args.y, n, c), op,
            "x, sum and y must have one shape");
    require(!args.delta.defined() || isDenseMatrix(args.delta, n, c), op, "delta must have the shape of x");
    require(isVector(args.weight, c) && isVector(args.rstd, n), op, "weight or rstd has the wrong size");
    require(!args.mean.defined() || (isVector(args.mean, n) && isVector(args.bias, c)), op,
            "LayerNorm needs a mean a row and a bias");
    if (ops::onGpu(args.x, op))
        return ops::timed([&] { return ops::shapeName("norm forward", args.x.size(0), args.x.size(1)); },
                          [&] {
                              using A = NormArgs;
                              ops::exactly(ExactOp::norm, args,
                                           {&A::x, &A::delta, &A::weight, &A::bias, &A::sum, &A::y}, cuda::normForward);
                          });
    cpu::normForward(args);
}

void normBackward(const NormBackwardArgs& args) {
    const char* op = "norm";
    require(args.sum.defined() && args.sum.dim() == 2, op, "sum must be a matrix");
    const int64_t n = args.sum.size(0);
    const int64_t c = args.sum.size(1);
    require(isDenseMatrix(args.sum, n, c) && isDenseMatrix(args.gradientY, n, c) && isDenseMatrix(args.gradient, n, c),
            op, "sum and gradients must have one shape");
    require(isVector(args.weight, c) && isVector(args.weightGradient, c) && isVector(args.rstd, n), op,
            "weight, its gradient or rstd has the wrong size");
    require(!args.mean.defined() || (isVector(args.mean, n) && isVector(args.biasGradient, c)), op,
            "LayerNorm needs a mean a row and a gradient of the bias");
    require(!args.y.defined() || (isDenseMatrix(args.y, n, c) && (!args.mean.defined() || isVector(args.bias, c))), op,
            "y must have the shape of sum, and LayerNorm needs its bias for it");
    if (ops::onGpu(args.sum, op))
        return ops::timed([&] { return ops::shapeName("norm backward", args.sum.size(0), args.sum.size(1)); },
                          [&] {
                              using A = NormBackwardArgs;
                              ops::exactly(ExactOp::norm, args,
                                           {&A::gradientY, &A::sum, &A::weight, &A::gradient, &A::weightGradient,
                                            &A::biasGradient, &A::y, &A::bias},
                                           cuda::normBackward);
                          });
    require(args.scratch.defined() && args.scratch.numel() >= at::get_num_threads() * 2 * c, op,
            "scratch is too small");
    cpu::normBackward(args);
}

}  // namespace unmask
