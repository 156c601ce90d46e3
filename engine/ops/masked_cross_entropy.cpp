// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/masked_cross_entropy.h"

#include <limits>
#include <string>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/float_copies.h"
#include "engine/ops/linear.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::isDenseMatrix;
using ops::require;

namespace {

// Columns that need computing, and the one among them that is excluded (−1: none). A mask behind all tokens, as with
// bytes, costs nothing.
struct Columns {
    int64_t count;
    int64_t excluded;
};

Columns columnsOf(const VocabularyLimit& limit, int64_t vocabulary) {
    Columns columns{limit.used < 0 ? vocabulary : std::min(limit.used, vocabulary), limit.maskId};
    if (columns.excluded == columns.count - 1)
        --columns.count;
    if (columns.excluded >= columns.count)
        columns.excluded = -1;
    return columns;
}

void checkTargets(const at::Tensor& targets, const Columns& columns) {
    const int64_t* ids = targets.data_ptr<int64_t>();
    for (int64_t i = 0; i < targets.numel(); ++i)
        if (ids[i] < 0 || ids[i] >= columns.count || ids[i] == columns.excluded)
            throw Error{ErrorCode::badInput, "[masked cross-entropy] target " + std::to_string(ids[i]) + " of row " +
                                                 std::to_string(i) + " is no token that can be predicted"};
}

}  // namespace

void maskedCrossEntropy(const MaskedCrossEntropyArgs& args) {
    const char* op = "masked cross-entropy";
    const int64_t r = args.hidden.size(0);
    const int64_t c = args.hidden.size(1);
    require(isDenseMatrix(args.hidden, r, c) && isDenseMatrix(args.weight, args.weight.size(0), c), op,
            "hidden and weight do not meet");
    require(ops::isVector(args.targets, r) && args.targets.scalar_type() == at::kLong, op,
            "targets must be int64, one a row");
    require(ops::isVector(args.losses, r) && args.losses.scalar_type() == at::kDouble, op, "losses must be float64");
    const bool backward = args.gradient.defined();
    require(!backward || (isDenseMatrix(args.gradient, r, c) && args.weightGradient.sizes() == args.weight.sizes() &&
                          ops::isVector(args.weights, r) && args.weights.scalar_type() == at::kDouble),
            op, "the gradients or weights have the wrong shape");
    if (ops::onGpu(args.hidden, op))
        return ops::timed([&] { return ops::shapeName("head and cross-entropy", r, args.weight.size(0)); },
                          [&] {
                              using A = MaskedCrossEntropyArgs;
                              ops::exactly(ExactOp::head, args,
                                           {&A::hidden, &A::weight, &A::logits, &A::gradient, &A::weightGradient},
                                           cuda::maskedCrossEntropy);
                          });
    const Columns columns = columnsOf(args.options.vocabulary, args.weight.size(0));
    checkTargets(args.targets, columns);
    const at::Tensor weight = args.weight.narrow(0, 0, columns.count);
    const int64_t chunk = args.logits.size(0);
    for (int64_t first = 0; first < r; first += chunk) {
        const int64_t rows = std::min(chunk, r - first);
        const at::Tensor hidden = args.hidden.narrow(0, first, rows);
        const at::Tensor logits = args.logits.narrow(0, 0, rows).narrow(1, 0, columns.count);
        linearForward(hidden, weight, {}, logits);
        cpu::softmaxLoss({logits, args.targets.narrow(0, first, rows),
                          backward ? args.weights.narrow(0, first, rows) : at::Tensor{},
                          args.losses.narrow(0, first, rows), columns.excluded, args.options.zLoss});
        if (!backward)
            continue;
        linearBackwardInput(logits, weight, args.gradient.narrow(0, first, rows));
        linearBackwardWeight(logits, hidden, args.weightGradient.narrow(0, 0, columns.count), {}, {});
    }
}

void headLogits(const at::Tensor& hidden, const at::Tensor& weight, const VocabularyLimit& vocabulary,
                const at::Tensor& out) {
    if (ops::onGpu(hidden, "head"))
        return cuda::headLogits(hidden, weight, vocabulary, out);
    const Columns columns = columnsOf(vocabulary, weight.size(0));
    const double never = -std::numeric_limits<double>::infinity();
    linearForward(hidden, weight.narrow(0, 0, columns.count), {}, out.narrow(1, 0, columns.count));
    out.narrow(1, columns.count, weight.size(0) - columns.count).fill_(never);
    if (columns.excluded >= 0)
        out.narrow(1, columns.excluded, 1).fill_(never);
}

}  // namespace unmask
