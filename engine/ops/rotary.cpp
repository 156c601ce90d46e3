// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/rotary.h"

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

namespace {

void checkShapes(const at::Tensor& x, const at::Tensor& positions, const at::Tensor& table, int64_t headWidth) {
    const char* op = "rotary";
    require(headWidth > 0 && headWidth % 2 == 0, op, "the head width must be even");
    require(ops::isMatrix(x, x.size(0), x.size(1)) && x.size(1) % headWidth == 0, op, "x must hold whole heads");
    require(isVector(positions, x.size(0)) && positions.scalar_type() == at::kInt, op,
            "positions must be int32, one a row");
    require(isDenseMatrix(table, table.size(0), headWidth), op, "the table has the wrong shape");
}

}  // namespace

void rotaryTable(const at::Tensor& table, double base) {
    require(table.defined() && table.dim() == 2 && table.is_contiguous(), "rotary", "the table must be a matrix");
    if (ops::onGpu(table, "rotary"))
        return cuda::rotaryTable(table, base);
    cpu::rotaryTable(table, base);
}

void rotaryForward(const RotaryArgs& args) {
    checkShapes(args.x, args.positions, args.table, args.headWidth);
    if (args.normWeight.defined()) {
        const int64_t n = args.x.size(0);
        require(isVector(args.normWeight, args.headWidth) && isDenseMatrix(args.raw, n, args.x.size(1)) &&
                    isDenseMatrix(args.rstd, n, args.x.size(1) / args.headWidth),
                "rotary", "the buffers of QK-norm have the wrong shape");
    }
    if (ops::onGpu(args.x, "rotary"))
        return ops::timed(
            [&] { return ops::shapeName("rotary forward", args.x.size(0), args.x.size(1)); },
            [&] {
                using A = RotaryArgs;
                ops::exactly(ExactOp::rotary, args, {&A::x, &A::normWeight, &A::raw}, cuda::rotaryForward);
            });
    cpu::rotaryForward(args);
}

void rotaryBackward(const RotaryBackwardArgs& args) {
    checkShapes(args.gradient, args.positions, args.table, args.headWidth);
    if (ops::onGpu(args.gradient, "rotary"))
        return ops::timed(
            [&] { return ops::shapeName("rotary backward", args.gradient.size(0), args.gradient.size(1)); },
            [&] {
                using A = RotaryBackwardArgs;
                ops::exactly(ExactOp::rotary, args, {&A::gradient, &A::normWeight, &A::raw, &A::normWeightGradient},
                             cuda::rotaryBackward);
            });
    if (args.normWeight.defined()) {
        require(isVector(args.normWeightGradient, args.headWidth), "rotary", "QK-norm's gradient has the wrong size");
        require(args.scratch.defined() && args.scratch.numel() >= at::get_num_threads() * args.headWidth, "rotary",
                "scratch is too small");
    }
    cpu::rotaryBackward(args);
}

}  // namespace unmask
