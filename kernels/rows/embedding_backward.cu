// SPDX-License-Identifier: Apache-2.0
// Sort (token, row) by token, then sum runs of equal tokens in levels. At each level a block takes a span of sorted
// rows: runs that lie inside it are added to their row of the embedding at once; the runs at its borders are left as
// two pieces for the next level, which sees 32 times fewer rows. Nothing is atomic and every order is fixed, so the
// result repeats.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <type_traits>

#include "kernels/common/device.cuh"
#include "kernels/rows/rows.h"

namespace unmask::kernels {
namespace {

constexpr int kSpan = 64;  // sorted rows a block
constexpr size_t kAlign = 256;

size_t aligned(size_t bytes) {
    return (bytes + kAlign - 1) / kAlign * kAlign;
}

// Rows of each level: the sorted gradients, then two pieces a span, until one span holds all.
int64_t spansOf(int64_t rows) {
    return (rows + kSpan - 1) / kSpan;
}

struct Layout {
    size_t sortedKeys, rows, sortedRows, sortStorage, sortBytes, total;
    size_t pieces[2], pieceTokens[2];  // levels write one pair and read the other
};

Layout layoutFor(int64_t rows, int C) {
    const auto n = static_cast<size_t>(rows);
    Layout layout{};
    size_t at = 0;
    const auto place = [&](size_t bytes) {
        const size_t here = at;
        at += aligned(bytes);
        return here;
    };
    layout.sortedKeys = place(n * 4);
    layout.rows = place(n * 4);
    layout.sortedRows = place(n * 4);
    int64_t level = rows;
    for (int i = 0; i < 2; ++i) {
        level = 2 * spansOf(level);
        layout.pieces[i] = place(static_cast<size_t>(level) * static_cast<size_t>(C) * 4);
        layout.pieceTokens[i] = place(static_cast<size_t>(level) * 4);
    }
    cub::DeviceRadixSort::SortPairs(nullptr, layout.sortBytes, static_cast<const uint32_t*>(nullptr),
                                    static_cast<uint32_t*>(nullptr), static_cast<const uint32_t*>(nullptr),
                                    static_cast<uint32_t*>(nullptr), static_cast<int>(rows));
    layout.sortStorage = place(layout.sortBytes);
    layout.total = at;
    return layout;
}

__global__ void numberRowsKernel(uint32_t* rows, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        rows[i] = static_cast<uint32_t>(i);
}

template <class W>
__device__ void addTo(W* row, int column, const float (&x)[kPack]) {
    float old[kPack];
    load(row + column, old);
#pragma unroll
    for (int j = 0; j < kPack; ++j)
        old[j] += x[j];
    store(row + column, old);
}

struct Level {
    const uint32_t* tokens;  // (count), ascending
    const uint32_t* rows;    // where in `values` each stands; null: in order
    const void* values;      // (·, C)
    int64_t count;
    float* pieces;          // out (2 · spans, C)
    uint32_t* pieceTokens;  // out (2 · spans)
};

// A thread owns 8 columns and walks the span with the next row already on its way. Both pieces are always written,
// empty ones as zeros under a token of the span, so that the next level needs no special case.
template <class T, class W>
__global__ void sumRunsKernel(Level level, W* weightGradient, int C) {
    const int64_t first = int64_t{blockIdx.x} * kSpan, last = min(first + kSpan, level.count);
    const int column = (blockIdx.y * blockDim.x + threadIdx.x) * kPack;
    if (column >= C)
        return;
    const auto rowAt = [&](int64_t i) {
        return loadRaw(static_cast<const T*>(level.values) + (level.rows != nullptr ? int64_t{level.rows[i]} : i) * C +
                       column);
    };
    float sum[kPack] = {}, piece[2][kPack] = {};
    uint32_t pieceToken[2] = {level.tokens[first], level.tokens[last - 1]};
    int64_t runStart = first;
    uint32_t token = level.tokens[first];
    constexpr int kAhead = 4;
    Raw<T> ahead[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j)
        if (first + j < last)
            ahead[j] = rowAt(first + j);
    for (int64_t start = first; start < last; start += kAhead)
#pragma unroll
        for (int j = 0; j < kAhead; ++j) {
            const int64_t i = start + j;
            if (i >= last)
                break;
            float x[kPack];
            unpack(ahead[j], x);
            if (i + kAhead < last)
                ahead[j] = rowAt(i + kAhead);
#pragma unroll
            for (int k = 0; k < kPack; ++k)
                sum[k] += x[k];
            const uint32_t next = i + 1 < level.count ? level.tokens[i + 1] : ~0u;
            if (i + 1 < last && next == token)
                continue;
            const bool opensBefore = runStart == first && first > 0 && level.tokens[first - 1] == token;
            const bool goesOn = i + 1 == last && next == token;
            if (!opensBefore && !goesOn)
                addTo(weightGradient + int64_t{token} * C, column, sum);
            else
#pragma unroll
                for (int k = 0; k < kPack; ++k)
                    piece[runStart == first ? 0 : 1][k] = sum[k];
#pragma unroll
            for (int k = 0; k < kPack; ++k)
                sum[k] = 0;
            runStart = i + 1;
            token = next;
        }
    for (int which = 0; which < 2; ++which) {
        store(level.pieces + (2 * int64_t{blockIdx.x} + which) * C + column, piece[which]);
        if (column == 0)
            level.pieceTokens[2 * blockIdx.x + which] = pieceToken[which];
    }
}

template <class T, class W>
Status sumLevel(const Level& level, W* weightGradient, int C, Stream stream) {
    const int threads = std::min(128, (C / kPack + 31) / 32 * 32);
    const dim3 grid(static_cast<unsigned>(spansOf(level.count)),
                    static_cast<unsigned>((C / kPack + threads - 1) / threads));
    sumRunsKernel<T, W><<<grid, threads, 0, stream>>>(level, weightGradient, C);
    return launched();
}

}  // namespace

size_t embeddingBackwardScratch(int64_t rows, int C) {
    return layoutFor(rows, C).total;
}

Status embeddingBackward(const EmbeddingBackwardArgs& a, Stream stream) {
    if (a.rows < 0 || a.rows > INT32_MAX || a.C <= 0 || a.C % kPack != 0)
        return {"embedding_backward: C must be a positive multiple of 8 and rows fit 31 bits"};
    if (a.rows == 0)
        return {};
    const Layout layout = layoutFor(a.rows, a.C);
    if (a.scratch == nullptr || a.scratchBytes < layout.total)
        return {"embedding_backward: the scratch is too small"};
    char* const base = static_cast<char*>(a.scratch);
    const auto words = [&](size_t at) { return reinterpret_cast<uint32_t*>(base + at); };
    const int count = static_cast<int>(a.rows);
    numberRowsKernel<<<(count + 255) / 256, 256, 0, stream>>>(words(layout.rows), count);
    int bits = 1;
    while ((int64_t{1} << bits) < a.vocabulary)
        ++bits;
    size_t sortBytes = layout.sortBytes;
    if (cub::DeviceRadixSort::SortPairs(
            base + layout.sortStorage, sortBytes, reinterpret_cast<const uint32_t*>(a.tokens), words(layout.sortedKeys),
            words(layout.rows), words(layout.sortedRows), count, 0, bits, stream) != cudaSuccess)
        return {"embedding_backward: the sort failed"};
    return withType(a.weightDtype, [&](auto* weightType) {
        auto* const weight = static_cast<decltype(weightType)>(a.weightGradient);
        const auto floats = [&](size_t at) { return reinterpret_cast<float*>(base + at); };
        Level level{words(layout.sortedKeys), words(layout.sortedRows),    a.gradient, a.rows,
                    floats(layout.pieces[0]), words(layout.pieceTokens[0])};
        Status status = withType(a.dtype, [&](auto* type) {
            return sumLevel<std::remove_pointer_t<decltype(type)>>(level, weight, a.C, stream);
        });
        for (int turn = 0; status.ok() && spansOf(level.count) > 1; turn = 1 - turn) {
            level = {level.pieceTokens,
                     nullptr,
                     level.pieces,
                     2 * spansOf(level.count),
                     floats(layout.pieces[1 - turn]),
                     words(layout.pieceTokens[1 - turn])};
            status = sumLevel<float>(level, weight, a.C, stream);
        }
        return status;
    });
}

}  // namespace unmask::kernels
