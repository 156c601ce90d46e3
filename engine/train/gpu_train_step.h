// SPDX-License-Identifier: Apache-2.0
// The step on a GPU. The host corrupts and queues ahead of the device and reads a step's figures when the device has
// passed its end; it waits only when it would get too far ahead.
#pragma once

#include <deque>
#include <optional>

#include "engine/ops/device.h"
#include "engine/optimizer/gpu_adamw.h"
#include "engine/train/train_step.h"

namespace unmask {

class GpuTrainStep final : public TrainStep {
 public:
    explicit GpuTrainStep(const TrainParts& parts);
    ~GpuTrainStep() override;
    void queue(const LoadedBatch& batch, const OptimizerConfig& config, double rate) override;
    std::vector<StepResult> finished(bool all) override;

 private:
    struct Pending {
        StepFigures figures;
        const StepRecord* record = nullptr;  // null: nothing was scored, so nothing was queued
        std::optional<GpuEvent> begin;       // only where the device was idle before
        GpuEvent end;
    };
    StepResult read(const Pending& pending, double seconds);

    TrainParts m_parts;
    GpuAdamW& m_optimizer;
    std::deque<Pending> m_pending;
    std::optional<GpuEvent> m_previousEnd;
};

}  // namespace unmask
