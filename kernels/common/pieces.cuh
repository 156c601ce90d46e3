// SPDX-License-Identifier: Apache-2.0
// Work over many slabs in one launch: the slabs travel by value as arguments, and their memory is cut into chunks that
// are numbered through.
#pragma once

#include <algorithm>

#include "kernels/common/device.cuh"

namespace unmask::kernels {

constexpr int kSlabsALaunch = 56;  // arguments of a launch hold 4 KiB

template <class Slab>
struct Pieces {
    Slab slabs[kSlabsALaunch];
    uint32_t firstChunk[kSlabsALaunch + 1];
    int count;
    int firstSlab;
    uint32_t chunks() const { return firstChunk[count]; }
};

// Slabs from `first` on, as many as a launch takes; sizeOf(slab) and chunk in the same unit.
template <class Slab, class SizeOf>
Pieces<Slab> piecesOf(const Slab* slabs, int count, int first, int64_t chunk, SizeOf sizeOf) {
    Pieces<Slab> pieces{};
    pieces.firstSlab = first;
    pieces.count = std::min(kSlabsALaunch, count - first);
    for (int i = 0; i < pieces.count; ++i) {
        pieces.slabs[i] = slabs[first + i];
        const int64_t chunks = (static_cast<int64_t>(sizeOf(slabs[first + i])) + chunk - 1) / chunk;
        pieces.firstChunk[i + 1] = pieces.firstChunk[i] + static_cast<uint32_t>(chunks);
    }
    return pieces;
}

template <class Slab>
__device__ inline int slabOf(const Pieces<Slab>& pieces, uint32_t chunk) {
    int low = 0, high = pieces.count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (pieces.firstChunk[middle] <= chunk)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

}  // namespace unmask::kernels
