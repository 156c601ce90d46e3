// SPDX-License-Identifier: Apache-2.0
// One task is a segment and a group of heads; tasks share nothing, so they may run in any order. Legend: Q queries of a
// tile, K keys of the segment, D head width.
#include <cmath>

#include "engine/ops/cpu/gemm.h"
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"
#include "engine/ops/cpu/vector_math.h"
#include "engine/planner/layer_memory.h"

namespace unmask::cpu {

namespace {

struct Bounds {
    int64_t firstQuery, endQuery, firstKey, endKey;
};

// The tensors of a call as pointers.
template <class T>
struct Operands {
    RowView<T> query, key, value, out, logSumExp;
    const int32_t* bounds;
    int64_t segments, d, heads, groups, scratchElements;
    T* scratch;
    T scale;

    explicit Operands(const AttentionArgs& args)
        : query(args.query),
          key(args.key),
          value(args.value),
          out(args.out),
          logSumExp(args.logSumExp),
          bounds(args.bounds.data_ptr<int32_t>()),
          segments(args.bounds.size(0)),
          d(args.headWidth),
          heads(query.columns / d),
          groups(key.columns / d),
          scratchElements(args.scratchElements),
          scratch(args.scratch.data_ptr<T>()),
          scale(static_cast<T>(1 / std::sqrt(static_cast<double>(d)))) {}

    Bounds segment(int64_t i) const { return {bounds[4 * i], bounds[4 * i + 1], bounds[4 * i + 2], bounds[4 * i + 3]}; }
    int64_t headsOfGroup() const { return heads / groups; }
};

template <class T>
MatrixRef<T> at(const RowView<T>& view, int64_t row, int64_t column) {
    return {view[row] + column, view.stride};
}

// Rows that belong to no segment become 0. `column` is 0 for queries and 2 for keys.
template <class T>
void clearGaps(const RowView<T>& view, const int32_t* bounds, int64_t segments, int64_t column) {
    int64_t row = 0;
    for (int64_t i = 0; i <= segments; ++i) {
        const int64_t begin = i < segments ? bounds[4 * i + column] : view.rows;
        for (; row < begin; ++row)
            std::fill(view[row], view[row] + view.columns, T(0));
        if (i < segments)
            row = bounds[4 * i + column + 1];
    }
}

// Scores → probabilities; returns the log of the sum of exponentials.
template <class T>
T softmaxRow(T* x, int64_t n) {
    T top = x[0];
#pragma omp simd reduction(max : top)
    for (int64_t i = 0; i < n; ++i)
        top = std::max(top, x[i]);
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i) {
        x[i] = fastExp(x[i] - top);
        sum += x[i];
    }
    const T factor = T(1) / sum;
    for (int64_t i = 0; i < n; ++i)
        x[i] *= factor;
    return top + std::log(sum);
}

template <class T>
void forwardTask(const Operands<T>& o, const Bounds& b, int64_t group, T* scores) {
    const int64_t keys = b.endKey - b.firstKey;
    const int64_t tile = attentionTileRows(keys);
    const int64_t keyColumn = group * o.d;
    for (int64_t head = group * o.headsOfGroup(); head < (group + 1) * o.headsOfGroup(); ++head) {
        const int64_t column = head * o.d;
        for (int64_t first = b.firstQuery; first < b.endQuery; first += tile) {
            const int64_t queries = std::min(tile, b.endQuery - first);
            timesTransposed<T>({queries, keys, o.d, o.scale}, at(o.query, first, column),
                               at(o.key, b.firstKey, keyColumn), scores, keys);
            for (int64_t i = 0; i < queries; ++i)
                o.logSumExp[first + i][head] = softmaxRow(scores + i * keys, keys);
            times<T>({queries, o.d, keys}, {scores, keys}, at(o.value, b.firstKey, keyColumn), o.out[first] + column,
                     o.out.stride);
        }
    }
}

template <class T>
T dot(const T* a, const T* b, int64_t n) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

// Scores of one query → probabilities, and their gradient (in `gradient`) → that of the unscaled scores.
template <class T>
void backwardRow(T* scores, T* gradient, T logSumExp, T rowDot, int64_t n) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        scores[i] = fastExp(scores[i] - logSumExp);
        gradient[i] = scores[i] * (gradient[i] - rowDot);
    }
}

// Places in one thread's scratch.
template <class T>
struct BackwardScratch {
    T *scores, *gradient, *key, *value;
    BackwardScratch(T* base, int64_t tileElements, int64_t keyElements) {
        const int64_t tileSpace = (tileElements + 15) / 16 * 16;
        scores = base;
        gradient = scores + tileSpace;
        key = gradient + tileSpace;
        value = key + keyElements;
    }
};

// With P = softmax(scale · q kᵀ): dv = Pᵀ do, dP = do vᵀ, dS = P ∘ (dP − rowsum(do ∘ o)), dq = scale · dS k,
// dk = scale · dSᵀ q. The query tile is overwritten by its gradient, key and value at the end of the task.
template <class T>
void backwardTask(const Operands<T>& o, const RowView<T>& dOut, const Bounds& b, int64_t group, T* base) {
    const int64_t keys = b.endKey - b.firstKey;
    const int64_t tile = attentionTileRows(keys);
    const int64_t keyColumn = group * o.d;
    const BackwardScratch<T> s(base, tile * keys, keys * o.d);
    std::fill(s.key, s.key + 2 * keys * o.d, T(0));
    for (int64_t head = group * o.headsOfGroup(); head < (group + 1) * o.headsOfGroup(); ++head) {
        const int64_t column = head * o.d;
        for (int64_t first = b.firstQuery; first < b.endQuery; first += tile) {
            const int64_t queries = std::min(tile, b.endQuery - first);
            const MatrixRef<T> query = at(o.query, first, column);
            const MatrixRef<T> gradientOut = at(dOut, first, column);
            const MatrixRef<T> key = at(o.key, b.firstKey, keyColumn);
            timesTransposed<T>({queries, keys, o.d, o.scale}, query, key, s.scores, keys);
            timesTransposed<T>({queries, keys, o.d}, gradientOut, at(o.value, b.firstKey, keyColumn), s.gradient, keys);
            for (int64_t i = 0; i < queries; ++i) {
                const T rowDot = dot(dOut[first + i] + column, o.out[first + i] + column, o.d);
                backwardRow(s.scores + i * keys, s.gradient + i * keys, o.logSumExp[first + i][head], rowDot, keys);
            }
            transposedTimes<T>({keys, o.d, queries, T(1), T(1)}, {s.scores, keys}, gradientOut, s.value, o.d);
            transposedTimes<T>({keys, o.d, queries, o.scale, T(1)}, {s.gradient, keys}, query, s.key, o.d);
            times<T>({queries, o.d, keys, o.scale}, {s.gradient, keys}, key, o.query[first] + column, o.query.stride);
        }
    }
    for (int64_t i = 0; i < keys; ++i) {
        std::copy(s.key + i * o.d, s.key + (i + 1) * o.d, o.key[b.firstKey + i] + keyColumn);
        std::copy(s.value + i * o.d, s.value + (i + 1) * o.d, o.value[b.firstKey + i] + keyColumn);
    }
}

}  // namespace

void attentionForward(const AttentionArgs& args) {
    withType(args.query.scalar_type(), [&](auto type) {
        using T = decltype(type);
        const Operands<T> o(args);
        clearGaps(o.out, o.bounds, o.segments, 0);
        parallelTasks(o.segments * o.groups, [&](int64_t task, int thread) {
            forwardTask(o, o.segment(task / o.groups), task % o.groups, o.scratch + thread * o.scratchElements);
        });
    });
}

void attentionBackward(const AttentionBackwardArgs& args) {
    withType(args.gradientOut.scalar_type(), [&](auto type) {
        using T = decltype(type);
        const Operands<T> o(args.forward);
        const RowView<T> dOut(args.gradientOut);
        parallelTasks(o.segments * o.groups, [&](int64_t task, int thread) {
            backwardTask(o, dOut, o.segment(task / o.groups), task % o.groups, o.scratch + thread * o.scratchElements);
        });
        clearGaps(o.query, o.bounds, o.segments, 0);
        clearGaps(o.key, o.bounds, o.segments, 2);
        clearGaps(o.value, o.bounds, o.segments, 2);
    });
}

}  // namespace unmask::cpu
