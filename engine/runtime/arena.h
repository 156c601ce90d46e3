// SPDX-License-Identifier: Apache-2.0
// One allocation for a whole step, handed out once at aligned offsets. Its size is the planner's, and taking more than
// was planned is an error, so plan and reality cannot drift apart.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/planner/layer_memory.h"

namespace unmask {

class Arena {
 public:
    explicit Arena(int64_t bytes);

    // A flat view of `buffer.elements`; undefined when it has none.
    at::Tensor take(const BufferSize& buffer, at::ScalarType type);

    int64_t bytes() const { return m_bytes; }
    int64_t used() const { return m_used; }

 private:
    at::Tensor m_memory;
    int64_t m_bytes;
    int64_t m_used = 0;
};

}  // namespace unmask
