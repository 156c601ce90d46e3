// SPDX-License-Identifier: Apache-2.0
// Sets many pieces of memory to zero in one launch: the gradients of all slabs. A memset for each would be as many
// nodes of a captured step, at two microseconds each. Budget: the bytes once.
#pragma once

#include <cstddef>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct MemoryPiece {
    void* memory;  // 16-byte aligned
    size_t bytes;  // multiple of 16
};
Status clearMemory(const MemoryPiece* pieces, int count, Stream stream);  // pieces: host memory
Status clearMemoryReference(const MemoryPiece* pieces, int count);

}  // namespace unmask::kernels
