// SPDX-License-Identifier: Apache-2.0
// A micro-batch on its way to the GPU: padded to the planned shape, so that every step looks the same, laid out on the
// host as the arena has it, and sent by one copy. Three host buffers take turns, so the host runs ahead.
#pragma once

#include <vector>

#include "engine/model/layer.h"
#include "engine/ops/device.h"
#include "engine/runtime/chain_runner.h"
#include "engine/runtime/step_buffers.h"

namespace unmask {

// What a captured graph depends on besides the contents of the buffers.
struct StagedLayout {
    int64_t segments = 0;  // padded to a power of two where documents are packed
    bool dense = false;    // every row is one whole segment
    bool operator==(const StagedLayout&) const = default;
};

class GpuStaging {
 public:
    GpuStaging(const StepBuffers& buffers, const StepShape& shape);

    // Queues the copy. targets and weights may be undefined: then every scored row has target 0 and weight 0.
    // The batch must fit: at most shape.tokens() tokens and shape.headRows() scored rows.
    StagedLayout stage(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights);
    // What layers need to know of a batch staged with this layout.
    StepContext context(const StagedLayout& layout) const;
    // int32 (N) as staged.
    at::Tensor tokens() const { return m_work[WorkBuffer::tokens]; }

 private:
    struct HostBuffer {
        at::Tensor bytes;
        GpuEvent copied;
    };
    template <class T>
    T* host(WorkBuffer which);
    void fillRows(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights);
    StagedLayout fillSegments(const StepInput& input);

    StepShape m_shape;
    WorkBuffers m_work;
    at::Tensor m_device;
    std::vector<HostBuffer> m_ring;
    size_t m_next = 0;
};

}  // namespace unmask
