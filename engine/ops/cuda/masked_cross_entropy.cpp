// SPDX-License-Identifier: Apache-2.0
#include "kernels/masked_cross_entropy/masked_cross_entropy.h"

#include <algorithm>
#include <limits>

#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "engine/ops/linear.h"

namespace unmask::cuda {

void maskedCrossEntropy(const MaskedCrossEntropyArgs& args) {
    const int64_t r = args.hidden.size(0);
    const int64_t chunk = args.logits.size(0);
    const int64_t v = args.weight.size(0);
    for (int64_t first = 0; first < r; first += chunk) {
        const int64_t rows = std::min(chunk, r - first);
        const at::Tensor hidden = args.hidden.narrow(0, first, rows);
        const at::Tensor logits = args.logits.narrow(0, 0, rows);
        linearForward(hidden, args.weight, {}, logits);
        const bool backward = args.gradient.defined();
        kernels::MaskedCrossEntropyArgs k{};
        k.logits = logits.data_ptr();
        k.targets = args.targets.narrow(0, first, rows).data_ptr<int64_t>();
        k.weights = backward ? args.weights.narrow(0, first, rows).data_ptr<double>() : nullptr;
        k.losses = args.losses.narrow(0, first, rows).data_ptr<double>();
        k.rows = rows;
        k.V = static_cast<int>(v);
        k.used = static_cast<int>(args.options.vocabulary.used < 0 ? v : args.options.vocabulary.used);
        k.maskId = static_cast<int>(args.options.vocabulary.maskId);
        k.dtype = dtypeOf(logits);
        k.gradientScale = pointer<float>(args.options.gradientScale);
        k.zLoss = static_cast<float>(args.options.zLoss);
        check(kernels::maskedCrossEntropy(k, currentStream()));
        if (!backward)
            continue;
        linearBackwardInput(logits, args.weight, args.gradient.narrow(0, first, rows));
        linearBackwardWeight(logits, hidden, args.weightGradient, {});
    }
}

void headLogits(const at::Tensor& hidden, const at::Tensor& weight, const VocabularyLimit& vocabulary,
                const at::Tensor& out) {
    linearForward(hidden, weight, {}, out);
    const double never = -std::numeric_limits<double>::infinity();
    if (vocabulary.used >= 0)
        out.narrow(1, vocabulary.used, weight.size(0) - vocabulary.used).fill_(never);
    if (vocabulary.maskId >= 0)
        out.narrow(1, vocabulary.maskId, 1).fill_(never);
}

}  // namespace unmask::cuda
