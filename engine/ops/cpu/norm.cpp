// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"

namespace unmask::cpu {

namespace {

template <class T>
void addRow(const T* x, const T* delta, T* sum, int64_t c) {
    if (delta == nullptr) {
        if (sum != x)
            std::copy(x, x + c, sum);
        return;
    }
    for (int64_t i = 0; i < c; ++i)
        sum[i] = x[i] + delta[i];
}

template <class T>
T meanOf(const T* x, int64_t c) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < c; ++i)
        sum += x[i];
    return sum / static_cast<T>(c);
}

template <class T>
T meanSquare(const T* x, T mean, int64_t c) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < c; ++i)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / static_cast<T>(c);
}

template <class T>
void scaleRow(const T* x, T mean, T rstd, const T* weight, const T* bias, T* y, int64_t c) {
    if (bias == nullptr) {
        for (int64_t i = 0; i < c; ++i)
            y[i] = (x[i] - mean) * rstd * weight[i];
        return;
    }
    for (int64_t i = 0; i < c; ++i)
        y[i] = (x[i] - mean) * rstd * weight[i] + bias[i];
}

template <class T>
void forward(const NormArgs& args) {
    const RowView<T> x(args.x), delta(args.delta), sum(args.sum), y(args.y);
    const T* weight = dataOf<T>(args.weight);
    const T* bias = dataOf<T>(args.bias);
    T* rstds = dataOf<T>(args.rstd);
    T* means = dataOf<T>(args.mean);
    const int64_t c = x.columns;
    const T epsilon = static_cast<T>(args.epsilon);
    parallelParts(x.rows, x.rows * c, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            addRow(x[row], delta.data == nullptr ? nullptr : delta[row], sum[row], c);
            const T mean = means == nullptr ? T(0) : meanOf(sum[row], c);
            const T rstd = T(1) / std::sqrt(meanSquare(sum[row], mean, c) + epsilon);
            scaleRow(sum[row], mean, rstd, weight, bias, y[row], c);
            rstds[row] = rstd;
            if (means != nullptr)
                means[row] = mean;
        }
    });
}

// xhat = (x − mean) · rstd;  dx = rstd · (g − m1 − xhat · m2) with g = dy · weight, m1 = mean(g) (0 for RMSNorm) and
// m2 = mean(g · xhat).
template <class T>
void backwardRow(const T* dy, const T* x, const T* weight, T mean, T rstd, bool centred, T* dx, T* dw, T* db,
                 int64_t c) {
    T sum1 = 0;
    T sum2 = 0;
#pragma omp simd reduction(+ : sum1, sum2)
    for (int64_t i = 0; i < c; ++i) {
        const T g = dy[i] * weight[i];
        sum1 += g;
        sum2 += g * ((x[i] - mean) * rstd);
    }
    const T m1 = centred ? sum1 / static_cast<T>(c) : T(0);
    const T m2 = sum2 / static_cast<T>(c);
    for (int64_t i = 0; i < c; ++i) {
        const T xhat = (x[i] - mean) * rstd;
        dx[i] += rstd * (dy[i] * weight[i] - m1 - xhat * m2);
        dw[i] += dy[i] * xhat;
    }
    if (db == nullptr)
        return;
    for (int64_t i = 0; i < c; ++i)
        db[i] += dy[i];
}

template <class T>
void backward(const NormBackwardArgs& args) {
    const RowView<T> dy(args.gradientY), x(args.sum), dx(args.gradient), y(args.y);
    const T* weight = dataOf<T>(args.weight);
    const T* rstds = dataOf<T>(args.rstd);
    const T* means = dataOf<T>(args.mean);
    const T* bias = dataOf<T>(args.bias);
    T* dw = dataOf<T>(args.weightGradient);
    T* db = dataOf<T>(args.biasGradient);
    T* scratch = dataOf<T>(args.scratch);
    const int64_t c = x.columns;
    const int threads = threadCount();
    std::fill(scratch, scratch + 2 * c * threads, T(0));
    parallelParts(x.rows, x.rows * c, [&](int64_t begin, int64_t end, int thread) {
        T* ownW = scratch + 2 * c * thread;
        T* ownB = db == nullptr ? nullptr : ownW + c;
        for (int64_t row = begin; row < end; ++row) {
            backwardRow(dy[row], x[row], weight, means == nullptr ? T(0) : means[row], rstds[row], means != nullptr,
                        dx[row], ownW, ownB, c);
            if (y.data != nullptr)
                scaleRow(x[row], means == nullptr ? T(0) : means[row], rstds[row], weight, bias, y[row], c);
        }
    });
    for (int thread = 0; thread < threads; ++thread) {
        const T* own = scratch + 2 * c * thread;
        for (int64_t i = 0; i < c; ++i)
            dw[i] += own[i];
        for (int64_t i = 0; db != nullptr && i < c; ++i)
            db[i] += own[c + i];
    }
}

}  // namespace

void normForward(const NormArgs& args) {
    withType(args.x.scalar_type(), [&](auto type) { forward<decltype(type)>(args); });
}

void normBackward(const NormBackwardArgs& args) {
    withType(args.sum.scalar_type(), [&](auto type) { backward<decltype(type)>(args); });
}

}  // namespace unmask::cpu
