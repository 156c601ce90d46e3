// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "kernels/clear/clear.h"

namespace unmask::kernels {

Status clearMemoryReference(const MemoryPiece* pieces, int count) {
    for (int i = 0; i < count; ++i)
        std::memset(pieces[i].memory, 0, pieces[i].bytes);
    return {};
}

}  // namespace unmask::kernels
