// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/validation_bound.h"

#include <ATen/ops/dot.h>

#include <array>

#include "engine/eval/model_input.h"

namespace unmask {

BoundEstimate ValidationBound::run(ChainRunner& runner) {
    BoundEstimate estimate;
    double nats = 0;
    const int64_t batches = m_sampler.batchesPerEpoch() * m_options.draws;
    for (int64_t k = 0; k < batches; ++k) {
        const LoadedBatch batch = loadBatch(m_sampler, k, m_options.microRows, m_options.paddingId, m_options.share);
        m_objective->beginStep(batch.plan);
        const auto normaliser = static_cast<double>(m_objective->figures().normaliser);
        for (const MicroBatch& micro : batch.microBatches) {
            const NoisyBatch noisy = m_objective->corrupt(micro);
            if (noisy.maskedRows.empty()) {
                runner.passForward();
                continue;
            }
            const ModelInput input = modelInput(noisy, micro);
            nats += at::dot(runner.rowLosses(input.step, input.targets), input.weights).item<double>() * normaliser;
            estimate.scored += static_cast<int64_t>(noisy.maskedRows.size());
        }
        estimate.tokens += m_objective->figures().maskable;
    }
    if (m_options.sum) {
        std::array sums{nats, static_cast<double>(estimate.scored)};
        m_options.sum(sums);
        nats = sums[0];
        estimate.scored = static_cast<int64_t>(sums[1]);
    }
    if (estimate.tokens > 0)
        estimate.nats = nats / static_cast<double>(estimate.tokens);
    return estimate;
}

}  // namespace unmask
