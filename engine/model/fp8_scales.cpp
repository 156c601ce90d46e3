// SPDX-License-Identifier: Apache-2.0
#include "engine/model/fp8_scales.h"

#include <ATen/ops/zeros.h>

#include "engine/base/error.h"
#include "engine/ops/fp8.h"

namespace unmask {

Fp8Scales::Fp8Scales(int64_t tensors, at::Device device)
    : m_table(at::zeros({tensors, kFp8ScaleFloats}, at::TensorOptions().dtype(at::kFloat).device(device))) {}

at::Tensor Fp8Scales::take() {
    if (m_taken == m_table.size(0))
        throw Error{ErrorCode::internal, "[model] more tensors are quantised than scales were planned"};
    return m_table.select(0, m_taken++);
}

}  // namespace unmask
