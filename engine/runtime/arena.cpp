// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/arena.h"

#include <ATen/ops/empty.h>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace unmask {

namespace {

at::Tensor allocate(int64_t bytes, at::Device device) {
    try {
        return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(device));
    } catch (const c10::Error&) {
        throw Error{device.is_cpu() ? ErrorCode::hostOutOfMemory : ErrorCode::gpuOutOfMemory,
                    "[arena] cannot get " + formatBytes(static_cast<double>(bytes)) +
                        " for the buffers of a step; a smaller micro-batch needs less"};
    }
}

}  // namespace

Arena::Arena(int64_t bytes, at::Device device) : m_memory(allocate(bytes, device)), m_bytes(bytes) {}

at::Tensor Arena::take(const BufferSize& buffer, at::ScalarType type) {
    if (buffer.elements == 0)
        return {};
    if (m_used + buffer.bytes() > m_bytes)
        throw Error{ErrorCode::internal, "[arena] no room left for " + buffer.name};
    const at::Tensor bytes = m_memory.narrow(0, m_used, buffer.elements * buffer.elementBytes);
    m_used += buffer.bytes();
    return bytes.view(type);
}

}  // namespace unmask
