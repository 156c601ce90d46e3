// SPDX-License-Identifier: Apache-2.0
// What every GPU op needs to launch: the current stream, storage types, scratch memory, and the way a refusal becomes
// an error.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>

#include "kernels/common/types.h"

namespace unmask::cuda {

kernels::Stream currentStream();
bool capturing();  // what is queued now becomes part of a graph
// Data of a tensor, null where it is undefined. With a type, the tensor must have it.
inline void* pointer(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.data_ptr() : nullptr;
}
template <class T>
T* pointer(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}
kernels::DType dtypeOf(const at::Tensor& tensor);  // float, bfloat16 or half; anything else is an internal error
// Throws internal with the kernel's own message; launch failures carry CUDA's.
void check(kernels::Status status);

// Memory for the present op alone: the next op on the stream may have the same bytes. It grows when an op asks for more
// than any before it, which a capture cannot do (internal error), so every shape must have run once before.
void* scratch(size_t bytes);
size_t scratchBytes();  // held now, for memory reports

}  // namespace unmask::cuda
