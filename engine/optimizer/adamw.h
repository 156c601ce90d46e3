// SPDX-License-Identifier: Apache-2.0
// AdamW with clipping by the global norm, one pass over each slab.
#pragma once

#include "engine/optimizer/optimizer.h"

namespace unmask {

class AdamW final : public Optimizer {
 public:
    explicit AdamW(const std::vector<Slab>& slabs);

    UpdateReport update(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate) override;
    void sumSquaresBy(std::function<double(double squares)> sum) override { m_sum = std::move(sum); }
    std::vector<OptimizerState>& states() override { return m_states; }
    int64_t updates() const override { return m_updates; }
    void setUpdates(int64_t updates) override { m_updates = updates; }

 private:
    std::vector<OptimizerState> m_states;  // "adam_m", "adam_v"
    std::function<double(double squares)> m_sum;
    int64_t m_updates = 0;
};

}  // namespace unmask
