// SPDX-License-Identifier: Apache-2.0
#include "kernels/clear/clear.h"

#include "kernels/common/pieces.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kStores = 4;  // of 16 bytes, by each thread
constexpr int64_t kChunk = int64_t{kThreads} * kStores * 16;

__global__ void __launch_bounds__(kThreads) clearKernel(const __grid_constant__ Pieces<MemoryPiece> pieces) {
    const int number = slabOf(pieces, blockIdx.x);
    const MemoryPiece& piece = pieces.slabs[number];
    const size_t first = size_t{blockIdx.x - pieces.firstChunk[number]} * kChunk + threadIdx.x * size_t{16};
#pragma unroll
    for (int i = 0; i < kStores; ++i) {
        const size_t at = first + static_cast<size_t>(i) * kThreads * 16;
        if (at < piece.bytes)
            *reinterpret_cast<uint4*>(static_cast<char*>(piece.memory) + at) = uint4{};
    }
}

}  // namespace

Status clearMemory(const MemoryPiece* list, int count, Stream stream) {
    for (int i = 0; i < count; ++i)
        if (!aligned16(list[i].memory) || list[i].bytes % 16 != 0)
            return {"clear: memory must be a multiple of 16 bytes and aligned to as many"};
    Status status;
    for (int first = 0; first < count && status.ok(); first += kSlabsALaunch) {
        const auto pieces = piecesOf(list, count, first, kChunk, [](const MemoryPiece& piece) { return piece.bytes; });
        if (pieces.chunks() == 0)
            continue;
        clearKernel<<<pieces.chunks(), kThreads, 0, stream>>>(pieces);
        status = launched();
    }
    return status;
}

}  // namespace unmask::kernels
