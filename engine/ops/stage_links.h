// SPDX-License-Identifier: Apache-2.0
// What passes between the stages of a pipeline, each a device with some of the layers. A stage sends what it has made
// and goes on; it receives when it needs. Null stands for a device that has all layers.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace unmask {

class StageLinks {
 public:
    virtual ~StageLinks() = default;
    // `values` may be overwritten when this returns. Of one sender and receiver no two sends under way have one tag.
    virtual void send(const at::Tensor& values, int64_t toStage, int64_t tag) = 0;
    virtual void receive(const at::Tensor& values, int64_t fromStage, int64_t tag) = 0;
    virtual void finishSends() = 0;
    virtual void shareLast(const at::Tensor& values) = 0;  // the last stage's on every stage
};

}  // namespace unmask
