// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"

namespace unmask::cpu {

namespace {

template <class Visitor>
void withIndexType(at::ScalarType type, Visitor&& visitor) {
    if (type == at::kLong)
        visitor(int64_t{});
    else
        visitor(int32_t{});
}

// `from` holds the rows from `first` on; the others are zeros.
template <class T, class Index>
void lookUp(const Index* indices, const RowView<T>& from, const RowView<T>& to, int64_t first = 0) {
    parallelParts(to.rows, to.rows * to.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const int64_t place = indices[row] - first;
            if (place >= 0 && place < from.rows)
                std::copy(from[place], from[place] + to.columns, to[row]);
            else
                std::fill(to[row], to[row] + to.columns, T(0));
        }
    });
}

// Each thread adds all rows, but only its share of the columns, so two rows of one token never meet and the order of
// the sum is the order of the rows. `to` holds the rows from `first` on; what belongs to others is left out.
template <class T, class Index>
void addInto(const Index* indices, const RowView<T>& from, const RowView<T>& to, int64_t first = 0) {
    constexpr int64_t kColumns = 16;  // a share is whole cache lines
    const int64_t shares = (from.columns + kColumns - 1) / kColumns;
    parallelParts(shares, from.rows * from.columns, [&](int64_t begin, int64_t end, int) {
        const int64_t column = begin * kColumns;
        const int64_t count = std::min(end * kColumns, from.columns) - column;
        for (int64_t row = 0; row < from.rows; ++row) {
            const int64_t place = indices[row] - first;
            if (place < 0 || place >= to.rows)
                continue;
            const T* source = from[row] + column;
            T* target = to[place] + column;
            for (int64_t i = 0; i < count; ++i)
                target[i] += source[i];
        }
    });
}

template <class T>
void columnSums(const at::Tensor& xT, const at::Tensor& sumsT, const at::Tensor& scratchT) {
    const RowView<T> x(xT);
    T* sums = dataOf<T>(sumsT);
    T* scratch = dataOf<T>(scratchT);
    const int threads = threadCount();
    std::fill(scratch, scratch + threads * x.columns, T(0));
    parallelParts(x.rows, x.rows * x.columns, [&](int64_t begin, int64_t end, int thread) {
        T* own = scratch + thread * x.columns;
        for (int64_t row = begin; row < end; ++row)
            for (int64_t i = 0; i < x.columns; ++i)
                own[i] += x[row][i];
    });
    for (int thread = 0; thread < threads; ++thread)
        for (int64_t i = 0; i < x.columns; ++i)
            sums[i] += scratch[thread * x.columns + i];
}

template <class T>
void rowBias(const at::Tensor& biasT, const at::Tensor& yT) {
    const RowView<T> y(yT);
    const T* bias = dataOf<T>(biasT);
    parallelParts(y.rows, y.rows * y.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row)
            for (int64_t i = 0; i < y.columns; ++i)
                y[row][i] += bias[i];
    });
}

}  // namespace

void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out) {
    embeddingPartForward(tokens, weight, 0, out);
}

void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient) {
    embeddingPartBackward(tokens, gradient, 0, weightGradient);
}

void embeddingPartForward(const at::Tensor& tokens, const at::Tensor& weight, int64_t first, const at::Tensor& out) {
    withType(weight.scalar_type(), [&](auto type) {
        using T = decltype(type);
        withIndexType(tokens.scalar_type(), [&](auto index) {
            using Index = decltype(index);
            lookUp(tokens.data_ptr<Index>(), RowView<T>(weight), RowView<T>(out), first);
        });
    });
}

void embeddingPartBackward(const at::Tensor& tokens, const at::Tensor& gradient, int64_t first,
                           const at::Tensor& weightGradient) {
    withType(gradient.scalar_type(), [&](auto type) {
        using T = decltype(type);
        withIndexType(tokens.scalar_type(), [&](auto index) {
            using Index = decltype(index);
            addInto(tokens.data_ptr<Index>(), RowView<T>(gradient), RowView<T>(weightGradient), first);
        });
    });
}

void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out) {
    withType(x.scalar_type(), [&](auto type) {
        using T = decltype(type);
        lookUp(rows.data_ptr<int64_t>(), RowView<T>(x), RowView<T>(out));
    });
}

void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out) {
    withType(x.scalar_type(), [&](auto type) {
        using T = decltype(type);
        addInto(rows.data_ptr<int64_t>(), RowView<T>(x), RowView<T>(out));
    });
}

void addColumnSums(const at::Tensor& x, const at::Tensor& sums, const at::Tensor& scratch) {
    withType(x.scalar_type(), [&](auto type) { columnSums<decltype(type)>(x, sums, scratch); });
}

void addRowBias(const at::Tensor& bias, const at::Tensor& y) {
    withType(y.scalar_type(), [&](auto type) { rowBias<decltype(type)>(bias, y); });
}

}  // namespace unmask::cpu
