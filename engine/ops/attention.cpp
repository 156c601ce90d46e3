// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/attention.h"

#include <ATen/Parallel.h>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/float_copies.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::isMatrix;
using ops::require;

namespace {

void check(const AttentionArgs& args) {
    const char* op = "attention";
    const int64_t q = args.query.size(0);
    const int64_t n = args.key.size(0);
    const int64_t width = args.query.size(1);
    const int64_t groupWidth = args.key.size(1);
    const int64_t d = args.headWidth;
    require(d > 0 && width % d == 0 && groupWidth % d == 0 && width % groupWidth == 0, op,
            "query heads must be a multiple of key heads");
    require(isMatrix(args.query, q, width) && isMatrix(args.key, n, groupWidth) && isMatrix(args.value, n, groupWidth),
            op, "query, key and value do not have matching shapes");
    require(isMatrix(args.out, q, width) && isMatrix(args.logSumExp, q, width / d), op, "out or logSumExp is wrong");
    require(args.bounds.defined() && args.bounds.dim() == 2 && args.bounds.size(1) == 4 &&
                args.bounds.is_contiguous() && args.bounds.scalar_type() == at::kInt,
            op, "bounds must be (segments, 4) int32");
}

void requireScratch(const AttentionArgs& args) {
    require(args.scratch.numel() >= at::get_num_threads() * args.scratchElements, "attention", "scratch is too small");
}

void backwardOnGpu(const AttentionBackwardArgs& args) {
    if (!deviceOptions().exact(ExactOp::attention))
        return cuda::attentionBackward(args);
    AttentionBackwardArgs exact = args;
    AttentionArgs& f = exact.forward;
    ops::FloatCopies copies;
    copies.replace({&f.query, &f.key, &f.value, &f.out, &exact.gradientOut, &exact.gradientQuery, &exact.gradientKey,
                    &exact.gradientValue});
    cuda::attentionBackward(exact);
    copies.writeBack();
}

}  // namespace

void attentionForward(const AttentionArgs& args) {
    check(args);
    if (ops::onGpu(args.query, "attention"))
        return ops::timed([&] { return ops::shapeName("attention forward", args.query.size(0), args.query.size(1)); },
                          [&] {
                              using A = AttentionArgs;
                              ops::exactly(ExactOp::attention, args, {&A::query, &A::key, &A::value, &A::out},
                                           cuda::attentionForward);
                          });
    requireScratch(args);
    cpu::attentionForward(args);
}

void attentionBackward(const AttentionBackwardArgs& args) {
    check(args.forward);
    require(isMatrix(args.gradientOut, args.forward.out.size(0), args.forward.out.size(1)), "attention",
            "the gradient does not have the shape of the output");
    if (ops::onGpu(args.forward.query, "attention"))
        return ops::timed(
            [&] {
                return ops::shapeName("attention backward", args.forward.query.size(0), args.forward.query.size(1));
            },
            [&] { backwardOnGpu(args); });
    requireScratch(args.forward);
    cpu::attentionBackward(args);
}

}  // namespace unmask
