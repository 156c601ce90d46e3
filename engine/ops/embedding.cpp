// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/embedding.h"

#include <string>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::isDenseMatrix;
using ops::require;

namespace {

template <class Index>
void checkTokens(const at::Tensor& tokens, int64_t vocabulary) {
    const Index* ids = tokens.data_ptr<Index>();
    for (int64_t i = 0; i < tokens.numel(); ++i)
        if (ids[i] < 0 || ids[i] >= vocabulary)
            throw Error{ErrorCode::badInput, "[embedding] token id " + std::to_string(ids[i]) + " at position " +
                                                 std::to_string(i) + " is outside the vocabulary of " +
                                                 std::to_string(vocabulary)};
}

void check(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& rows, int64_t vocabulary) {
    const char* op = "embedding";
    const bool wide = tokens.scalar_type() == at::kLong;
    require(tokens.is_contiguous() && (wide || tokens.scalar_type() == at::kInt), op, "tokens must be int32 or int64");
    require(
        isDenseMatrix(weight, weight.size(0), weight.size(1)) && isDenseMatrix(rows, tokens.numel(), weight.size(1)),
        op, "shapes do not meet");
    if (ops::onGpu(weight, op))
        return;  // the kernels leave ids outside the vocabulary out
    if (wide)
        checkTokens<int64_t>(tokens, vocabulary);
    else
        checkTokens<int32_t>(tokens, vocabulary);
}

}  // namespace

void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out) {
    check(tokens, weight, out, weight.size(0));
    if (weight.is_cuda())
        return ops::timed([&] { return ops::shapeName("embedding forward", out.size(0), out.size(1)); },
                          [&] { cuda::embeddingForward(tokens, weight, out); });
    cpu::embeddingForward(tokens, weight, out);
}

void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient) {
    check(tokens, weightGradient, gradient, weightGradient.size(0));
    if (gradient.is_cuda())
        return ops::timed([&] { return ops::shapeName("embedding backward", gradient.size(0), gradient.size(1)); },
                          [&] { cuda::embeddingBackward(tokens, gradient, weightGradient); });
    cpu::embeddingBackward(tokens, gradient, weightGradient);
}

void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const VocabularyPart& part,
                      const at::Tensor& out) {
    require(weight.is_cpu(), "embedding", "a vocabulary is shared on the CPU only");
    check(tokens, weight, out, part.vocabulary);
    cpu::embeddingPartForward(tokens, weight, part.first, out);
}

void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const VocabularyPart& part,
                       const at::Tensor& weightGradient) {
    require(gradient.is_cpu(), "embedding", "a vocabulary is shared on the CPU only");
    check(tokens, weightGradient, gradient, part.vocabulary);
    cpu::embeddingPartBackward(tokens, gradient, part.first, weightGradient);
}

void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out) {
    require(isDenseMatrix(out, rows.numel(), x.size(1)), "gather", "shapes do not meet");
    if (ops::onGpu(x, "gather"))
        return ops::timed([&] { return ops::shapeName("gather", out.size(0), out.size(1)); },
                          [&] { cuda::gatherRows(x, rows, out); });
    cpu::gatherRows(x, rows, out);
}

void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out) {
    require(isDenseMatrix(x, rows.numel(), out.size(1)), "scatter", "shapes do not meet");
    if (ops::onGpu(x, "scatter"))
        return ops::timed([&] { return ops::shapeName("scatter", x.size(0), x.size(1)); },
                          [&] { cuda::scatterAddRows(x, rows, out); });
    cpu::scatterAddRows(x, rows, out);
}

void checkRows(const at::Tensor& rows, int64_t limit) {
    require(rows.defined() && rows.dim() == 1 && rows.scalar_type() == at::kLong && rows.is_contiguous(), "rows",
            "row indices must be a vector of int64");
    const int64_t* index = rows.data_ptr<int64_t>();
    for (int64_t i = 0; i < rows.numel(); ++i)
        require(index[i] < limit && index[i] > (i == 0 ? -1 : index[i - 1]), "rows",
                "row indices must ascend within the batch");
}

}  // namespace unmask
