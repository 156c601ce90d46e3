// SPDX-License-Identifier: Apache-2.0
// The scales of all tensors that a model's products quantise, in one table, so that one launch a step brings them on.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>

namespace unmask {

class Fp8Scales {
 public:
    Fp8Scales(int64_t tensors, at::Device device);

    at::Tensor take();  // (4) float, the next entry; internal error when there is none left
    const at::Tensor& table() const { return m_table; }  // (tensors, 4)

 private:
    at::Tensor m_table;
    int64_t m_taken = 0;
};

}  // namespace unmask
