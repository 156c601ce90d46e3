// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"

namespace unmask::cpu {

namespace {

template <class T>
void fillTable(const at::Tensor& table, double base) {
    const RowView<T> rows(table);
    const int64_t half = rows.columns / 2;
    for (int64_t position = 0; position < rows.rows; ++position) {
        for (int64_t i = 0; i < half; ++i) {
            const double frequency = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(2 * half));
            const double angle = static_cast<double>(position) * frequency;
            rows[position][i] = static_cast<T>(std::cos(angle));
            rows[position][half + i] = static_cast<T>(std::sin(angle));
        }
    }
}

// Turns the pair (x[i], x[half + i]) by the position's angle, or back with direction −1.
template <class T>
void rotate(T* x, const T* table, int64_t half, T direction) {
#pragma omp simd
    for (int64_t i = 0; i < half; ++i) {
        const T cosine = table[i];
        const T sine = direction * table[half + i];
        const T a = x[i];
        const T b = x[half + i];
        x[i] = a * cosine - b * sine;
        x[half + i] = b * cosine + a * sine;
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

template <class T>
void forward(const RotaryArgs& args) {
    const RowView<T> x(args.x), table(args.table), raw(args.raw), rstds(args.rstd);
    const T* weight = dataOf<T>(args.normWeight);
    const int32_t* positions = args.positions.data_ptr<int32_t>();
    const int64_t d = args.headWidth;
    const int64_t heads = x.columns / d;
    parallelParts(x.rows, x.rows * x.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            for (int64_t head = 0; head < heads; ++head) {
                T* own = x[row] + head * d;
                if (weight != nullptr) {
                    T* kept = raw[row] + head * d;
                    std::copy(own, own + d, kept);
                    const T rstd =
                        T(1) / std::sqrt(dot(kept, kept, d) / static_cast<T>(d) + static_cast<T>(args.epsilon));
                    rstds[row][head] = rstd;
                    for (int64_t i = 0; i < d; ++i)
                        own[i] = kept[i] * rstd * weight[i];
                }
                rotate(own, table[positions[row]], d / 2, T(1));
            }
        }
    });
}

// In place: gradient of the normed head → gradient of the raw head.
template <class T>
void headNormBackward(T* gradient, const T* raw, T rstd, const T* weight, T* weightGradient, int64_t d) {
    T sum = 0;
    for (int64_t i = 0; i < d; ++i) {
        const T xhat = raw[i] * rstd;
        weightGradient[i] += gradient[i] * xhat;
        gradient[i] *= weight[i];
        sum += gradient[i] * xhat;
    }
    const T mean = sum / static_cast<T>(d);
    for (int64_t i = 0; i < d; ++i)
        gradient[i] = rstd * (gradient[i] - raw[i] * rstd * mean);
}

template <class T>
void backward(const RotaryBackwardArgs& args) {
    const RowView<T> gradient(args.gradient), table(args.table), raw(args.raw), rstds(args.rstd);
    const T* weight = dataOf<T>(args.normWeight);
    T* scratch = dataOf<T>(args.scratch);
    const int32_t* positions = args.positions.data_ptr<int32_t>();
    const int64_t d = args.headWidth;
    const int64_t heads = gradient.columns / d;
    const int threads = weight == nullptr ? 0 : threadCount();
    std::fill(scratch, scratch + threads * d, T(0));
    parallelParts(gradient.rows, gradient.rows * gradient.columns, [&](int64_t begin, int64_t end, int thread) {
        for (int64_t row = begin; row < end; ++row) {
            for (int64_t head = 0; head < heads; ++head) {
                T* own = gradient[row] + head * d;
                rotate(own, table[positions[row]], d / 2, T(-1));
                if (weight != nullptr)
                    headNormBackward(own, raw[row] + head * d, rstds[row][head], weight, scratch + thread * d, d);
            }
        }
    });
    T* weightGradient = dataOf<T>(args.normWeightGradient);
    for (int thread = 0; thread < threads; ++thread)
        for (int64_t i = 0; i < d; ++i)
            weightGradient[i] += scratch[thread * d + i];
}

}  // namespace

void rotaryTable(const at::Tensor& table, double base) {
    withType(table.scalar_type(), [&](auto type) { fillTable<decltype(type)>(table, base); });
}
void rotaryForward(const RotaryArgs& args) {
    withType(args.x.scalar_type(), [&](auto type) { forward<decltype(type)>(args); });
}
void rotaryBackward(const RotaryBackwardArgs& args) {
    withType(args.gradient.scalar_type(), [&](auto type) { backward<decltype(type)>(args); });
}

}  // namespace unmask::cpu
