// SPDX-License-Identifier: Apache-2.0
// Rows of a token are collected in a bucket of its own, with counters that are atomic but whose order does not matter:
// a warp sorts its bucket before it adds. Tokens with more rows than a bucket holds (the mask has half of all) are
// summed in chunks: a chunk is a range of rows, searched for the token, so its order is fixed too. All sums are in
// float and in a fixed order, so the result repeats bit for bit.
#include <algorithm>
#include <type_traits>

#include "kernels/common/device.cuh"
#include "kernels/rows/rows.h"

namespace unmask::kernels {
namespace {

constexpr int kBucket = 32;      // rows of a bucket: one a lane
constexpr int kChunkRows = 128;  // rows of a chunk, on average
constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;
constexpr int kSlice = 32 * kPack;  // columns that the lanes of a warp hold, a pack each; a warp takes 2 or 3 slices
constexpr int kFound = 1024;        // places for rows that a warp found in its part of a chunk
constexpr int kSearched = 512;      // rows it looks at before it adds those found
constexpr size_t kAlign = 256;

struct Counters {
    int present;  // tokens that occur
    int crowded;  // tokens with more rows than a bucket holds
    int chunks;   // of all crowded tokens
};

struct Work {
    const int32_t* tokens;
    const void* gradient;
    void* weightGradient;
    int* counts;  // (vocabulary) rows of each token
    Counters* counters;
    int32_t* present;  // (most) tokens that occur, in any order
    int32_t* crowded;  // (mostCrowded) likewise
    int* firstChunk;   // (mostCrowded + 1)
    int32_t* buckets;  // (vocabulary, kBucket) rows, in any order
    float* chunkSums;  // (chunks, C)
    int64_t rows;
    int vocabulary, C, most, mostCrowded, mostChunks;
};

size_t layOut(Work& work, char* base) {
    work.most = static_cast<int>(std::min<int64_t>(work.rows, work.vocabulary));
    work.mostCrowded = static_cast<int>(std::min<int64_t>(work.rows / (kBucket + 1), work.vocabulary));
    work.mostChunks = work.mostCrowded + static_cast<int>(work.rows / kChunkRows);
    size_t at = 0;
    const auto place = [&](auto*& pointer, int64_t count) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(base + at);
        at += (static_cast<size_t>(count) * sizeof *pointer + kAlign - 1) / kAlign * kAlign;
    };
    place(work.counters, 1);  // these two are set to zero together
    place(work.counts, work.vocabulary);
    place(work.present, work.most);
    place(work.crowded, work.mostCrowded);
    place(work.firstChunk, int64_t{work.mostCrowded} + 1);
    place(work.buckets, int64_t{work.vocabulary} * kBucket);
    place(work.chunkSums, int64_t{work.mostChunks} * work.C);
    return at;
}

__device__ int chunksOf(int count) {
    return (count + kChunkRows - 1) / kChunkRows;
}

// Appends the values of lanes with `wanted` to a list, with one atomic operation a warp.
__device__ void append(bool wanted, int32_t value, int* count, int32_t* list) {
    const unsigned ballot = __ballot_sync(0xFFFFFFFFu, wanted);
    if (ballot == 0)
        return;
    const int lane = threadIdx.x % 32;
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(0xFFFFFFFFu, base, 0);
    if (wanted)
        list[base + __popc(ballot & ((1u << lane) - 1))] = value;
}

__global__ void __launch_bounds__(kThreads) collectKernel(Work a) {
    const int64_t row = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    const int lane = threadIdx.x % 32;
    int32_t token = row < a.rows ? a.tokens[row] : -1;
    if (token >= a.vocabulary)
        token = -1;
    // Equal tokens of a warp count as one, or half of all rows would queue at the mask's counter.
    const unsigned equal = __match_any_sync(0xFFFFFFFFu, token);
    const int leader = __ffs(static_cast<int>(equal)) - 1;
    int place = 0;
    if (token >= 0 && lane == leader)
        place = atomicAdd(a.counts + token, __popc(equal));
    place = __shfl_sync(0xFFFFFFFFu, place, leader) + __popc(equal & ((1u << lane) - 1));
    if (token >= 0 && place < kBucket)
        a.buckets[int64_t{token} * kBucket + place] = static_cast<int32_t>(row);
    append(token >= 0 && place == 0, token, &a.counters->present, a.present);
    append(token >= 0 && place == kBucket, token, &a.counters->crowded, a.crowded);
}

// Numbers the chunks of all crowded tokens through. One block.
__global__ void __launch_bounds__(1024) numberChunksKernel(Work a) {
    __shared__ int warpTotals[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, crowded = a.counters->crowded;
    int before = 0;
    for (int start = 0; start < crowded; start += 1024) {
        const int i = start + static_cast<int>(threadIdx.x);
        const int own = i < crowded ? chunksOf(a.counts[a.crowded[i]]) : 0;
        int sum = own;
#pragma unroll
        for (int offset = 1; offset < 32; offset *= 2) {
            const int other = __shfl_up_sync(0xFFFFFFFFu, sum, offset);
            sum += lane >= offset ? other : 0;
        }
        if (lane == 31)
            warpTotals[warp] = sum;
        __syncthreads();
        int base = before, all = before;
        for (int w = 0; w < 32; ++w) {
            base += w < warp ? warpTotals[w] : 0;
            all += warpTotals[w];
        }
        if (i < crowded)
            a.firstChunk[i] = base + sum - own;
        before = all;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        a.firstChunk[crowded] = before;
        a.counters->chunks = before;
    }
}

// The columns of a lane: Packs packs, one in each slice, of which the row may have fewer.
template <class T, int Packs>
struct Columns {
    Raw<T> raw[Packs];
};

template <int Packs>
struct Lane {
    int column;  // of the first pack
    bool active[Packs];
    __device__ Lane(int part, int C) : column(part * Packs * kSlice + static_cast<int>(threadIdx.x % 32) * kPack) {
#pragma unroll
        for (int s = 0; s < Packs; ++s)
            active[s] = column + s * kSlice < C;
    }
};

template <class T, int Packs>
__device__ Columns<T, Packs> loadColumns(const T* row, const Lane<Packs>& lane) {
    Columns<T, Packs> columns{};
#pragma unroll
    for (int s = 0; s < Packs; ++s)
        if (lane.active[s])
            columns.raw[s] = loadRaw(row + lane.column + s * kSlice);
    return columns;
}

template <class T, int Packs>
__device__ void add(float (&sum)[Packs][kPack], const Columns<T, Packs>& columns) {
#pragma unroll
    for (int s = 0; s < Packs; ++s) {
        float x[kPack];
        unpack(columns.raw[s], x);
#pragma unroll
        for (int k = 0; k < kPack; ++k)
            sum[s][k] += x[k];
    }
}

// Adds `count` rows in order, two of them on their way at once where registers suffice.
template <class T, int Packs, class RowAt>
__device__ void addRows(float (&sum)[Packs][kPack], int count, RowAt rowAt) {
    constexpr int kAhead = Packs > 2 ? 1 : 2;
    for (int i = 0; i < count; i += kAhead) {
        const Columns<T, Packs> first = rowAt(i);
        if constexpr (kAhead == 2) {
            const Columns<T, Packs> second = i + 1 < count ? rowAt(i + 1) : Columns<T, Packs>{};
            add(sum, first);
            add(sum, second);
        } else {
            add(sum, first);
        }
    }
}

// A warp adds some columns of all rows in a token's bucket.
template <class T, class W, int Packs>
__device__ void addBucket(const Work& a, int64_t item, int parts) {
    const int lane = threadIdx.x % 32;
    const int64_t which = item / parts;
    if (which >= a.counters->present)
        return;
    const Lane<Packs> columns(static_cast<int>(item % parts), a.C);
    const int32_t token = a.present[which];
    const int count = a.counts[token];
    const int32_t row = a.buckets[int64_t{token} * kBucket + lane];
    if (count > kBucket)
        return;
    W* const out = static_cast<W*>(a.weightGradient) + int64_t{token} * a.C;
    const Columns<W, Packs> old = loadColumns(out, columns);
    int rank = lane < count ? 0 : kBucket;
    for (int j = 0; j < count; ++j)
        rank += __shfl_sync(0xFFFFFFFFu, row, j) < row ? 1 : 0;
    float sum[Packs][kPack] = {};
    addRows<T>(sum, count, [&](int i) {
        const unsigned holder = __ballot_sync(0xFFFFFFFFu, rank == i);
        const int32_t at = __shfl_sync(0xFFFFFFFFu, row, __ffs(static_cast<int>(holder)) - 1);
        return loadColumns(static_cast<const T*>(a.gradient) + int64_t{at} * a.C, columns);
    });
    add(sum, old);
#pragma unroll
    for (int s = 0; s < Packs; ++s)
        if (columns.active[s])
            store(out + columns.column + s * kSlice, sum[s]);
}

// A block adds some columns of a chunk; each warp searches its part of the range and adds what it finds.
template <class T, int Packs>
__device__ void addChunk(const Work& a, int chunk, int part, int32_t* found) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int low = 0, high = a.counters->crowded - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (a.firstChunk[middle] <= chunk)
            low = middle;
        else
            high = middle - 1;
    }
    const int32_t token = a.crowded[low];
    const int chunks = chunksOf(a.counts[token]), number = chunk - a.firstChunk[low];
    const int64_t range = (a.rows + chunks - 1) / chunks, share = (range + kWarps - 1) / kWarps;
    const int64_t rangeEnd = min(a.rows, range * (number + 1));
    const int64_t first = range * number + share * warp, last = min(rangeEnd, first + share);

    const Lane<Packs> columns(part, a.C);
    float sum[Packs][kPack] = {};
    int32_t* const own = found + warp * kFound;
    int count = 0;
    const auto addFound = [&] {
        __syncwarp();
        addRows<T>(sum, count, [&](int i) {
            return loadColumns(static_cast<const T*>(a.gradient) + int64_t{own[i]} * a.C, columns);
        });
        count = 0;
        __syncwarp();
    };
    for (int64_t start = first; start < last; start += kSearched) {
        int32_t seen[kSearched / 32];
#pragma unroll
        for (int i = 0; i < kSearched / 32; ++i) {
            const int64_t row = start + i * 32 + lane;
            seen[i] = row < last ? a.tokens[row] : -1;
        }
#pragma unroll
        for (int i = 0; i < kSearched / 32; ++i) {
            const unsigned ballot = __ballot_sync(0xFFFFFFFFu, seen[i] == token);
            if (seen[i] == token)
                own[count + __popc(ballot & ((1u << lane) - 1))] = static_cast<int32_t>(start + i * 32 + lane);
            count += __popc(ballot);
        }
        if (count > kFound - kSearched)
            addFound();
    }
    addFound();
    __syncthreads();  // the sums take the place of the rows found
    constexpr int kColumns = Packs * kSlice;
    static_assert(kWarps * kColumns <= kWarps * kFound);
    float* const sums = reinterpret_cast<float*>(found);
#pragma unroll
    for (int s = 0; s < Packs; ++s)
        store(sums + warp * kColumns + s * kSlice + lane * kPack, sum[s]);
    __syncthreads();
    for (int c = threadIdx.x; c < kColumns && part * kColumns + c < a.C; c += kThreads) {
        float total = 0;
        for (int w = 0; w < kWarps; ++w)
            total += sums[w * kColumns + c];
        a.chunkSums[int64_t{chunk} * a.C + part * kColumns + c] = total;
    }
}

// Blocks of chunks first, since they take longest; then a warp for each bucket and slice. The grid is made for the
// worst case, and blocks past the work return at once.
template <class T, class W, int Packs>
__global__ void __launch_bounds__(kThreads, 4) sumKernel(Work a, int parts) {
    __shared__ __align__(16) int32_t found[kWarps * kFound];
    const int chunkBlocks = a.counters->chunks * parts, block = static_cast<int>(blockIdx.x);
    if (block < chunkBlocks)
        addChunk<T, Packs>(a, block / parts, block % parts, found);
    else
        addBucket<T, W, Packs>(a, int64_t{block - chunkBlocks} * kWarps + threadIdx.x / 32, parts);
}

// 32 columns a block, kWarps threads deep.
template <class W>
__global__ void __launch_bounds__(kThreads) addChunksKernel(Work a) {
    __shared__ float deep[kWarps][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, column = blockIdx.y * 32 + lane;
    for (int i = blockIdx.x; i < a.counters->crowded; i += gridDim.x) {
        const int last = a.firstChunk[i + 1];
        float total = 0;
        if (column < a.C) {
#pragma unroll 8
            for (int chunk = a.firstChunk[i] + warp; chunk < last; chunk += kWarps)
                total += a.chunkSums[int64_t{chunk} * a.C + column];
        }
        deep[warp][lane] = total;
        __syncthreads();
        if (warp == 0 && column < a.C) {
            float all = 0;
            for (int j = 0; j < kWarps; ++j)
                all += deep[j][lane];
            W* const out = static_cast<W*>(a.weightGradient) + int64_t{a.crowded[i]} * a.C + column;
            assign(*out, toFloat(*out) + all);
        }
        __syncthreads();
    }
}

template <class T, class W, int Packs>
Status sumAll(const Work& work, Stream stream) {
    const int parts = (work.C + Packs * kSlice - 1) / (Packs * kSlice);
    const int64_t blocks = int64_t{work.mostChunks} * parts + (int64_t{work.most} * parts + kWarps - 1) / kWarps;
    sumKernel<T, W, Packs><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(work, parts);
    if (work.mostCrowded > 0) {
        const dim3 grid(static_cast<unsigned>(std::min(work.mostCrowded, 64)),
                        static_cast<unsigned>((work.C + 31) / 32));
        addChunksKernel<W><<<grid, kThreads, 0, stream>>>(work);
    }
    return launched();
}

// Columns that a row cut into parts of so many slices would have.
int covered(int C, int slices) {
    return (C + slices * kSlice - 1) / (slices * kSlice) * slices;
}

}  // namespace

size_t embeddingBackwardScratch(int64_t rows, int vocabulary, int C) {
    Work work{.rows = rows, .vocabulary = vocabulary, .C = C};
    return layOut(work, nullptr);
}

Status embeddingBackward(const EmbeddingBackwardArgs& a, Stream stream) {
    if (a.rows < 0 || a.rows > INT32_MAX || a.vocabulary <= 0 || a.C <= 0 || a.C % kPack != 0)
        return {"embedding_backward: C must be a positive multiple of 8 and rows fit 31 bits"};
    if (a.rows == 0)
        return {};
    Work work{.tokens = a.tokens,
              .gradient = a.gradient,
              .weightGradient = a.weightGradient,
              .rows = a.rows,
              .vocabulary = a.vocabulary,
              .C = a.C};
    if (layOut(work, static_cast<char*>(a.scratch)) > a.scratchBytes || a.scratch == nullptr)
        return {"embedding_backward: the scratch is too small"};
    const auto zeros = static_cast<size_t>(reinterpret_cast<char*>(work.present) - static_cast<char*>(a.scratch));
    cudaMemsetAsync(a.scratch, 0, zeros, stream);
    collectKernel<<<static_cast<unsigned>((a.rows + kThreads - 1) / kThreads), kThreads, 0, stream>>>(work);
    if (work.mostCrowded > 0)
        numberChunksKernel<<<1, 1024, 0, stream>>>(work);
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        return withType(a.weightDtype, [&](auto* weightType) {
            using W = std::remove_pointer_t<decltype(weightType)>;
            return covered(a.C, 3) < covered(a.C, 2) ? sumAll<T, W, 3>(work, stream) : sumAll<T, W, 2>(work, stream);
        });
    });
}

}  // namespace unmask::kernels
