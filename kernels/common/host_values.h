// SPDX-License-Identifier: Apache-2.0
// Host access to buffers of any storage type, for the references. They compute in double and round once, on storing.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/common/types.h"

namespace unmask::kernels {

inline double valueAt(const void* buffer, int64_t index, DType type) {
    if (type == DType::float32)
        return static_cast<const float*>(buffer)[index];
    if (type == DType::float16)
        return static_cast<double>(static_cast<const _Float16*>(buffer)[index]);
    const uint32_t bits = uint32_t{static_cast<const uint16_t*>(buffer)[index]} << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline void setValue(void* buffer, int64_t index, DType type, double value) {
    const auto single = static_cast<float>(value);
    if (type == DType::float32) {
        static_cast<float*>(buffer)[index] = single;
        return;
    }
    if (type == DType::float16) {
        static_cast<_Float16*>(buffer)[index] = static_cast<_Float16>(single);
        return;
    }
    uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    const bool nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    // Round to nearest, ties to even; a NaN stays one.
    const uint32_t rounded = nan ? bits | 0x00400000u : bits + 0x7FFFu + ((bits >> 16) & 1);
    static_cast<uint16_t*>(buffer)[index] = static_cast<uint16_t>(rounded >> 16);
}

inline size_t bytesOf(DType type) {
    return type == DType::float32 ? 4 : 2;
}

}  // namespace unmask::kernels
