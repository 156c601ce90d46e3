// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/masked_cross_entropy.h"

#include <ATen/ops/empty.h>

#include <algorithm>
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

// Those of the columns that are this device's, counted from its first.
struct OwnColumns : Columns {
    int64_t first = 0;
};

OwnColumns ownColumns(const Columns& all, int64_t rows, int64_t part) {
    OwnColumns own;
    own.first = part * rows;
    own.count = std::clamp(all.count - own.first, int64_t{0}, rows);
    own.excluded = all.excluded - own.first;
    if (own.excluded < 0 || own.excluded >= own.count)
        own.excluded = -1;
    return own;
}

void checkTargets(const at::Tensor& targets, const Columns& columns) {
    const int64_t* ids = targets.data_ptr<int64_t>();
    for (int64_t i = 0; i < targets.numel(); ++i)
        if (ids[i] < 0 || ids[i] >= columns.count || ids[i] == columns.excluded)
            throw Error{ErrorCode::badInput, "[masked cross-entropy] target " + std::to_string(ids[i]) + " of row " +
                                                 std::to_string(i) + " is no token that can be predicted"};
}

// One chunk of rows of a vocabulary that devices share; a device may have no column that is used.
void sharedChunk(const MaskedCrossEntropyArgs& args, const OwnColumns& own, int64_t first, int64_t rows) {
    const bool backward = args.gradient.defined();
    const at::Tensor hidden = args.hidden.narrow(0, first, rows);
    const at::Tensor weight = args.weight.narrow(0, 0, own.count);
    const at::Tensor logits = args.logits.narrow(0, 0, rows).narrow(1, 0, own.count);
    if (own.count > 0)
        linearForward(hidden, weight, {}, logits);
    const at::Tensor statistics = at::empty({3, rows}, args.losses.options());
    const cpu::SharedSoftmaxArgs softmax{
        {logits, args.targets.narrow(0, first, rows), backward ? args.weights.narrow(0, first, rows) : at::Tensor{},
         args.losses.narrow(0, first, rows), own.excluded, args.options.zLoss},
        own.first,
        statistics};
    cpu::sharedMaxima(softmax);
    args.group->maximum(statistics[0]);
    cpu::sharedSums(softmax);
    args.group->sum(statistics.narrow(0, 1, 2));
    cpu::sharedLoss(softmax);
    if (!backward)
        return;
    const at::Tensor gradient = args.gradient.narrow(0, first, rows);
    if (own.count == 0) {
        gradient.zero_();
        return;
    }
    linearBackwardInput(logits, weight, gradient);
    linearBackwardWeight(logits, hidden, args.weightGradient.narrow(0, 0, own.count), {}, {});
}

void sharedCrossEntropy(const MaskedCrossEntropyArgs& args) {
    const int64_t rows = args.weight.size(0);
    const Columns all = columnsOf(args.options.vocabulary, rows * args.group->parts());
    checkTargets(args.targets, all);
    const OwnColumns own = ownColumns(all, rows, args.group->part());
    const int64_t r = args.hidden.size(0);
    const int64_t chunk = args.logits.size(0);
    for (int64_t first = 0; first < r; first += chunk)
        sharedChunk(args, own, first, std::min(chunk, r - first));
    if (args.gradient.defined())
        args.group->sum(args.gradient);
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
    if (args.group)
        return sharedCrossEntropy(args);
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
                const at::Tensor& out, TensorGroup* group) {
    if (ops::onGpu(hidden, "head"))
        return cuda::headLogits(hidden, weight, vocabulary, out);
    const int64_t rows = weight.size(0);
    const int64_t all = rows * partsOf(group);
    const Columns columns = columnsOf(vocabulary, all);
    if (!group) {
        linearForward(hidden, weight.narrow(0, 0, columns.count), {}, out.narrow(1, 0, columns.count));
    } else {  // everybody's columns beside zeros, so that the sum is exact
        out.zero_();
        const OwnColumns own = ownColumns(columns, rows, group->part());
        if (own.count > 0)
            linearForward(hidden, weight.narrow(0, 0, own.count), {}, out.narrow(1, own.first, own.count));
        group->sum(out);
    }
    const double never = -std::numeric_limits<double>::infinity();
    out.narrow(1, columns.count, all - columns.count).fill_(never);
    if (columns.excluded >= 0)
        out.narrow(1, columns.excluded, 1).fill_(never);
}

}  // namespace unmask
