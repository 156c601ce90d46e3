// SPDX-License-Identifier: Apache-2.0
// The bound of the validation split in nats a token, always over the same samples with the same masks (visit
// 0xFFFF − draw), so two validations differ by the weights alone.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "engine/data/batch_loader.h"
#include "engine/data/sampler.h"
#include "engine/objective/objective.h"
#include "engine/runtime/chain_runner.h"

namespace unmask {

struct BoundEstimate {
    double nats = 0;  // a token
    int64_t tokens = 0;
    int64_t scored = 0;  // masked positions looked at, over all draws
};

struct ValidationOptions {
    int64_t microRows = 32;
    int32_t paddingId = 0;
    int64_t draws = 1;
    // Where devices share the work: this one's rows, and what makes of its sums those of all.
    RowShare share;
    std::function<void(std::span<double> sums)> sum;
};

class ValidationBound {
 public:
    // The sampler must outlive this object. The objective is its own: a step of training may be under way.
    ValidationBound(const Sampler& sampler, std::unique_ptr<Objective> objective, const ValidationOptions& options)
        : m_sampler(sampler), m_objective(std::move(objective)), m_options(options) {}

    BoundEstimate run(ChainRunner& runner);

 private:
    const Sampler& m_sampler;
    std::unique_ptr<Objective> m_objective;
    ValidationOptions m_options;
};

}  // namespace unmask
