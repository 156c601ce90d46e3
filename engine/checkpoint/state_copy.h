// SPDX-License-Identifier: Apache-2.0
// Between tensors and plain host memory. The only file pair of this room, beside the loader, that handles tensors.
#pragma once

#include <vector>

#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/checkpoint/training_state.h"

namespace unmask {

inline constexpr const char* kWeightsFile = "weights.safetensors";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";

// Host buffers of one save, kept and filled again by the next one: a state is copied often and rarely changes its
// shape.
class HostState {
 public:
    // Returns when every byte is on the host. device sync on a GPU.
    const std::vector<HostPart>& copy(const TrainingStateView& view);
    const std::vector<HostPart>& parts() const { return m_parts; }

 private:
    std::vector<HostPart> m_parts;
    std::vector<std::vector<NamedTensor>> m_buffers;
};

TensorType tensorTypeOf(const at::Tensor& tensor);   // Error(internal) for types that files cannot hold
at::Tensor emptyHostTensor(const TensorInfo& info);  // Error(badInput) for types that LibTorch does not know

}  // namespace unmask
