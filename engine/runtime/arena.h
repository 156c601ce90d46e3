// SPDX-License-Identifier: Apache-2.0
// One allocation for a whole step, handed out once at aligned offsets. Its size is the planner's, and taking more than
// was planned is an error, so plan and reality cannot drift apart.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "engine/planner/layer_memory.h"

namespace unmask {

class Arena {
 public:
    explicit Arena(int64_t bytes, at::Device device = at::kCPU);

    // A flat view of `buffer.elements`; undefined when it has none.
    at::Tensor take(const BufferSize& buffer, at::ScalarType type);

    // Bytes [begin, end) as they were handed out.
    at::Tensor range(int64_t begin, int64_t end) const { return m_memory.narrow(0, begin, end - begin); }

    int64_t bytes() const { return m_bytes; }
    int64_t used() const { return m_used; }

 private:
    at::Tensor m_memory;
    int64_t m_bytes;
    int64_t m_used = 0;
};

}  // namespace unmask
