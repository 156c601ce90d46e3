// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/empty.h>

#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/rotary/rotary.h"

namespace unmask::cuda {

// Made on the host, in double, and copied: once, when buffers are planned. // device sync
void rotaryTable(const at::Tensor& table, double base) {
    const at::Tensor host = at::empty(table.sizes(), at::TensorOptions().dtype(at::kFloat));
    cpu::rotaryTable(host, base);
    table.copy_(host);
}

namespace {

void turn(const at::Tensor& x, const at::Tensor& positions, const at::Tensor& table, int64_t headWidth, bool inverse) {
    check(kernels::rotary({.x = pointer(x),
                           .positions = pointer<int32_t>(positions),
                           .table = pointer<float>(table),
                           .rows = x.size(0),
                           .stride = x.stride(0),
                           .heads = static_cast<int>(x.size(1) / headWidth),
                           .D = static_cast<int>(headWidth),
                           .inverse = inverse,
                           .dtype = dtypeOf(x)},
                          currentStream()));
}

}  // namespace

void rotaryForward(const RotaryArgs& args) {
    if (!args.normWeight.defined())
        return turn(args.x, args.positions, args.table, args.headWidth, false);
    check(kernels::headNormForward({.x = pointer(args.x),
                                    .weight = pointer(args.normWeight),
                                    .positions = pointer<int32_t>(args.positions),
                                    .table = pointer<float>(args.table),
                                    .raw = pointer(args.raw),
                                    .rstd = pointer<float>(args.rstd),
                                    .rows = args.x.size(0),
                                    .stride = args.x.stride(0),
                                    .heads = static_cast<int>(args.x.size(1) / args.headWidth),
                                    .D = static_cast<int>(args.headWidth),
                                    .epsilon = static_cast<float>(args.epsilon),
                                    .dtype = dtypeOf(args.x)},
                                   currentStream()));
}

void rotaryBackward(const RotaryBackwardArgs& args) {
    if (!args.normWeight.defined())
        return turn(args.gradient, args.positions, args.table, args.headWidth, true);
    const int width = static_cast<int>(args.headWidth);
    const auto parts = static_cast<size_t>(kernels::headNormScratch(width)) * sizeof(float);
    check(kernels::headNormBackward({.gradient = pointer(args.gradient),
                                     .weight = pointer(args.normWeight),
                                     .positions = pointer<int32_t>(args.positions),
                                     .table = pointer<float>(args.table),
                                     .raw = pointer(args.raw),
                                     .rstd = pointer<float>(args.rstd),
                                     .weightGradient = pointer(args.normWeightGradient),
                                     .scratch = static_cast<float*>(scratch(parts)),
                                     .rows = args.gradient.size(0),
                                     .stride = args.gradient.stride(0),
                                     .heads = static_cast<int>(args.gradient.size(1) / args.headWidth),
                                     .D = width,
                                     .dtype = dtypeOf(args.gradient),
                                     .gradientDtype = dtypeOf(args.normWeightGradient)},
                                    currentStream()));
}

}  // namespace unmask::cuda
