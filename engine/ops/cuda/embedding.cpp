// SPDX-License-Identifier: Apache-2.0
#include "engine/base/error.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/rows/rows.h"

namespace unmask::cuda {

namespace {

const int32_t* indices(const at::Tensor& tensor) {
    if (tensor.scalar_type() != at::kInt || !tensor.is_contiguous() || !tensor.is_cuda())
        throw Error{ErrorCode::internal, "[rows] tokens and row indices must be int32 on the GPU"};
    return tensor.const_data_ptr<int32_t>();
}

void gather(const at::Tensor& table, const at::Tensor& index, const at::Tensor& out) {
    check(kernels::gatherRows({.table = pointer(table),
                               .index = indices(index),
                               .out = pointer(out),
                               .rows = index.numel(),
                               .limit = table.size(0),
                               .C = static_cast<int>(table.size(1)),
                               .dtype = dtypeOf(table)},
                              currentStream()));
}

}  // namespace

void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out) {
    gather(weight, tokens, out);
}

void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient) {
    const int64_t rows = tokens.numel();
    const auto vocabulary = static_cast<int>(weightGradient.size(0));
    const auto width = static_cast<int>(weightGradient.size(1));
    const size_t bytes = kernels::embeddingBackwardScratch(rows, vocabulary, width);
    check(kernels::embeddingBackward({.tokens = indices(tokens),
                                      .gradient = pointer(gradient),
                                      .weightGradient = pointer(weightGradient),
                                      .rows = rows,
                                      .vocabulary = vocabulary,
                                      .C = width,
                                      .scratch = scratch(bytes),
                                      .scratchBytes = bytes,
                                      .dtype = dtypeOf(gradient),
                                      .weightDtype = dtypeOf(weightGradient)},
                                     currentStream()));
}

void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out) {
    gather(x, rows, out);
}

void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out) {
    check(kernels::scatterRows({.x = pointer(x),
                                .index = indices(rows),
                                .out = pointer(out),
                                .rows = rows.numel(),
                                .C = static_cast<int>(out.size(1)),
                                .add = true,
                                .dtype = dtypeOf(out)},
                               currentStream()));
}

}  // namespace unmask::cuda
