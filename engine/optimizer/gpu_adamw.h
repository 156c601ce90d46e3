// SPDX-License-Identifier: Apache-2.0
// AdamW on a GPU: norm, clipping and update are queued, nothing comes back to the host but a record a step that the
// GPU writes into host memory. From the second update on it is one graph launch. Where weights are fp16, the loss is
// scaled, and the scale follows the gradients on the device. Moments may be bf16, rounded stochastically.
#pragma once

#include "engine/ops/device.h"
#include "engine/ops/device_update.h"
#include "engine/optimizer/optimizer.h"

namespace unmask {

class GpuAdamW final : public Optimizer {
 public:
    GpuAdamW(const OptimizerConfig& config, const std::vector<Slab>& slabs);

    DeviceStep step() const;  // what the runners of the present step add to
    bool scalesLoss() const { return m_scalesLoss; }
    // Queues the update, the record of the step and zero gradients for the next. Returns the record's place, which may
    // be read once all that is queued now has been reached, and is written again kRecords updates later.
    const StepRecord* queueUpdate(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate);
    static constexpr int64_t kRecords = 64;

    UpdateReport update(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate) override;
    std::vector<OptimizerState>& states() override { return m_states; }
    int64_t updates() const override { return m_updates; }
    void setUpdates(int64_t updates) override { m_updates = updates; }
    double lossScale() const override;  // waits for the GPU
    void setLossScale(double scale) override;

 private:
    DeviceUpdateArgs arguments(const OptimizerConfig& config) const;
    void run(std::vector<Slab>& slabs, const OptimizerConfig& config);

    std::vector<OptimizerState> m_states;  // "adam_m", "adam_v"
    bool m_scalesLoss;
    int64_t m_updates = 0;
    int64_t m_queued = 0;
    at::Tensor m_sums, m_scalars, m_partials, m_counter;
    at::Tensor m_hostScalars;  // kRecords entries, page-locked
    at::Tensor m_records;      // kRecords entries, page-locked, written by the GPU
    std::unique_ptr<GpuGraph> m_graph;
    OptimizerConfig m_captured;  // what the graph was made for
};

}  // namespace unmask
