// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <vector>

#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"

namespace unmask::cpu {

namespace {

constexpr int64_t kSumBlock = 1 << 15;  // fixed, so that the norm does not depend on the threads

template <class T>
struct AdamFactors {
    T beta1, beta2, scale, decay, stepSize, rootCorrection, epsilon;
};

// p ← p (1 − rate · weightDecay) − rate · m̂ / (√v̂ + ε), with m̂ and v̂ corrected for their start at zero.
template <class T>
void updateRange(T* p, const T* g, T* m, T* v, int64_t n, const AdamFactors<T>& a) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) {
        const T gradient = g[i] * a.scale;
        const T mean = a.beta1 * m[i] + (T(1) - a.beta1) * gradient;
        const T square = a.beta2 * v[i] + (T(1) - a.beta2) * gradient * gradient;
        m[i] = mean;
        v[i] = square;
        p[i] = p[i] * a.decay - a.stepSize * mean / (std::sqrt(square) * a.rootCorrection + a.epsilon);
    }
}

template <class T>
void update(const Slab& slab, const AdamWArgs& args) {
    T* p = dataOf<T>(slab.values);
    const T* g = dataOf<T>(slab.gradients);
    T* m = dataOf<T>(args.m);
    T* v = dataOf<T>(args.v);
    const double updates = static_cast<double>(args.updates);
    AdamFactors<T> factors{};
    factors.beta1 = static_cast<T>(args.beta1);
    factors.beta2 = static_cast<T>(args.beta2);
    factors.scale = static_cast<T>(args.gradientScale);
    factors.stepSize = static_cast<T>(args.learningRate / (1 - std::pow(args.beta1, updates)));
    factors.rootCorrection = static_cast<T>(1 / std::sqrt(1 - std::pow(args.beta2, updates)));
    factors.epsilon = static_cast<T>(args.epsilon);
    const int64_t n = slab.values.numel();
    const T decay = static_cast<T>(1 - args.learningRate * args.weightDecay);
    const auto part = [&](int64_t begin, int64_t end, T rowDecay) {
        AdamFactors<T> own = factors;
        own.decay = rowDecay;
        if (begin < end)
            updateRange(p + begin, g + begin, m + begin, v + begin, end - begin, own);
    };
    parallelParts(n, n, [&](int64_t begin, int64_t end, int) {
        const int64_t border = std::clamp(slab.matrixElements, begin, end);
        part(begin, border, decay);
        part(border, end, T(1));
    });
}

template <class T>
double blockSquares(const T* x, int64_t n) {
    std::array<double, 8> sums{};
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int64_t lane = 0; lane < 8; ++lane)
            sums[static_cast<size_t>(lane)] += static_cast<double>(x[i + lane]) * static_cast<double>(x[i + lane]);
    double sum = 0;
    for (; i < n; ++i)
        sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    for (const double lane : sums)
        sum += lane;
    return sum;
}

template <class T>
double squares(const T* x, int64_t n) {
    const int64_t blocks = (n + kSumBlock - 1) / kSumBlock;
    std::vector<double> sums(static_cast<size_t>(blocks));
    parallelParts(blocks, n, [&](int64_t begin, int64_t end, int) {
        for (int64_t block = begin; block < end; ++block) {
            const int64_t first = block * kSumBlock;
            sums[static_cast<size_t>(block)] = blockSquares(x + first, std::min(kSumBlock, n - first));
        }
    });
    double sum = 0;
    for (const double block : sums)
        sum += block;
    return sum;
}

}  // namespace

void adamwUpdate(const Slab& slab, const AdamWArgs& args) {
    withType(slab.values.scalar_type(), [&](auto type) { update<decltype(type)>(slab, args); });
}

double sumOfSquares(const at::Tensor& values) {
    double sum = 0;
    withType(values.scalar_type(), [&](auto type) { sum = squares(dataOf<decltype(type)>(values), values.numel()); });
    return sum;
}

}  // namespace unmask::cpu
