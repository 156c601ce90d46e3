// SPDX-License-Identifier: Apache-2.0
// An op in float over 16-bit tensors, to find out what loses precision: its tensors are replaced by float copies, and
// what it changed is rounded back afterwards. Slow, and not for graphs: the copies are new memory each time.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "engine/ops/device_options.h"

namespace unmask::ops {

class FloatCopies {
 public:
    // Undefined tensors and such of other types stay as they are; views of the same memory share a copy.
    void replace(std::initializer_list<at::Tensor*> tensors);
    void writeBack();

 private:
    std::vector<std::pair<at::Tensor, at::Tensor>> m_pairs;  // original, copy
};

// Runs op(args): as they are, or over float copies of the given members where people want this operation exact.
template <class Args, class Op>
void exactly(ExactOp which, Args args, std::initializer_list<at::Tensor Args::*> members, Op op) {
    if (!deviceOptions().exact(which))
        return op(args);
    FloatCopies copies;
    for (const auto member : members)
        copies.replace({&(args.*member)});
    op(args);
    copies.writeBack();
}

// The same for an op over a list of tensors.
template <size_t N, class Op>
void exactly(ExactOp which, std::array<at::Tensor, N> tensors, Op op) {
    if (!deviceOptions().exact(which))
        return op(tensors);
    FloatCopies copies;
    for (at::Tensor& tensor : tensors)
        copies.replace({&tensor});
    op(tensors);
    copies.writeBack();
}

}  // namespace unmask::ops
