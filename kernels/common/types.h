// SPDX-License-Identifier: Apache-2.0
// What every kernel header shares: storage types, the result of a launch, and a stream that needs no CUDA header.
#pragma once

struct CUstream_st;

namespace unmask::kernels {

using Stream = CUstream_st*;

enum class DType { float32, bfloat16, float16 };

// Launchers validate on the host and never print or throw; the message is a constant.
struct [[nodiscard]] Status {
    const char* message = nullptr;  // null when all is well
    bool ok() const { return message == nullptr; }
};

// Whether this build holds code for the present GPU.
bool canRunHere();

}  // namespace unmask::kernels
