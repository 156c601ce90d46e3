// SPDX-License-Identifier: Apache-2.0
// The devices that share each layer of a model. A layer that holds a slice of its weights asks them to complete what it
// has computed. Every part asks in the same order with tensors of the same shape. Null stands for a device alone.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace unmask {

class TensorGroup {
 public:
    virtual ~TensorGroup() = default;
    virtual int64_t parts() const = 0;
    virtual int64_t part() const = 0;
    virtual void sum(const at::Tensor& partial) = 0;      // in place, contiguous; equal bits on every part
    virtual void maximum(const at::Tensor& partial) = 0;  // the same
};

inline int64_t partsOf(const TensorGroup* group) {
    return group ? group->parts() : 1;
}

}  // namespace unmask
