// SPDX-License-Identifier: Apache-2.0
// The chain on a GPU: batches are staged at the planned shape, work is queued and, once a layout is known, captured.
// A batch with more scored rows than were planned for is computed in halves.
#pragma once

#include <memory>
#include <vector>

#include "engine/ops/device_update.h"
#include "engine/runtime/chain_walk.h"
#include "engine/runtime/gpu_staging.h"

namespace unmask {

class GpuRunner {
 public:
    GpuRunner(ChainWalk& walk, const StepBuffers& buffers, const StepShape& shape, const RunnerOptions& options);

    // Host (R) float64 losses; gradients are added to the slabs.
    at::Tensor forwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights);
    void queueForwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights,
                              const DeviceStep& step);
    at::Tensor rowLosses(const StepInput& input, const at::Tensor& targets);  // host (R) float64
    at::Tensor logits(const StepInput& input);                                // host (R, V) float

 private:
    struct Batch {
        StepInput input;
        at::Tensor targets, weights;  // may be undefined
    };
    // Parts of at most the planned scored rows, in order.
    std::vector<Batch> parts(const Batch& batch) const;
    void stage(const Batch& batch);
    void train(const DeviceStep& step);
    at::Tensor lossesToHost(int64_t rows) const;

    struct Captured {
        StagedLayout layout;
        std::unique_ptr<GpuGraph> graph;  // null until the layout comes the second time
    };
    void launch(const StagedLayout& layout, const DeviceStep& step);

    ChainWalk& m_walk;
    StepShape m_shape;
    RunnerOptions m_options;
    GpuStaging m_staging;
    StagedLayout m_layout;
    std::vector<Captured> m_captured;
    bool m_rangesKnown = false;  // of fp8: the first batch measures them, later ones go by what was seen before
};

}  // namespace unmask
