// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"
#include "engine/ops/cpu/vector_math.h"

namespace unmask::cpu {

namespace {

template <class T>
T largest(const T* x, int64_t n) {
    T top = x[0];
#pragma omp simd reduction(max : top)
    for (int64_t i = 0; i < n; ++i)
        top = std::max(top, x[i]);
    return top;
}

template <class T>
T sumOfExponentials(const T* x, T top, int64_t n) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i)
        sum += fastExp(x[i] - top);
    return sum;
}

template <class T>
void exponentials(T* x, T top, int64_t n, T& sum) {
    T total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t i = 0; i < n; ++i) {
        x[i] = fastExp(x[i] - top);
        total += x[i];
    }
    sum = total;
}

template <class T>
void run(const SoftmaxLossArgs& args) {
    const RowView<T> logits(args.logits);
    const int64_t* targets = args.targets.data_ptr<int64_t>();
    const double* weights = dataOf<double>(args.weights);
    double* losses = args.losses.data_ptr<double>();
    const int64_t n = logits.columns;
    parallelParts(logits.rows, logits.rows * n, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            T* x = logits[row];
            if (args.excluded >= 0)
                x[args.excluded] = -std::numeric_limits<T>::infinity();
            const T top = largest(x, n);
            const T atTarget = x[targets[row]];
            T sum = 0;
            if (weights == nullptr)
                sum = sumOfExponentials(x, top, n);
            else
                exponentials(x, top, n, sum);
            losses[row] = std::log(static_cast<double>(sum)) + static_cast<double>(top) - static_cast<double>(atTarget);
            if (weights == nullptr)
                continue;
            const T weight = static_cast<T>(weights[row]);
            const double logSum = std::log(static_cast<double>(sum)) + static_cast<double>(top);
            const T factor = weight / sum * static_cast<T>(1 + 2 * args.zLoss * logSum);
            for (int64_t i = 0; i < n; ++i)
                x[i] *= factor;
            x[targets[row]] -= weight;
        }
    });
}

// The statistics of a chunk, a row of numbers each.
struct Statistics {
    double *top, *sum, *atTarget;
    explicit Statistics(const SharedSoftmaxArgs& args)
        : top(args.statistics.data_ptr<double>()),
          sum(top + args.statistics.size(1)),
          atTarget(sum + args.statistics.size(1)) {}
};

// visit(row, its logits, place of its target among these columns or −1)
template <class T, class Visit>
void eachRow(const SharedSoftmaxArgs& args, const Visit& visit) {
    const RowView<T> logits(args.logits);
    const int64_t* targets = args.targets.data_ptr<int64_t>();
    parallelParts(logits.rows, logits.rows * logits.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            const int64_t target = targets[row] - args.firstColumn;
            visit(row, logits[row], target >= 0 && target < logits.columns ? target : -1);
        }
    });
}

}  // namespace

void sharedMaxima(const SharedSoftmaxArgs& args) {
    withType(args.logits.scalar_type(), [&](auto type) {
        using T = decltype(type);
        const Statistics statistics(args);
        const int64_t n = args.logits.size(1);
        constexpr T kNever = -std::numeric_limits<T>::infinity();
        eachRow<T>(args, [&](int64_t row, T* x, int64_t) {
            if (args.excluded >= 0)
                x[args.excluded] = kNever;
            statistics.top[row] = static_cast<double>(n == 0 ? kNever : largest(x, n));
        });
    });
}

void sharedSums(const SharedSoftmaxArgs& args) {
    withType(args.logits.scalar_type(), [&](auto type) {
        using T = decltype(type);
        const Statistics statistics(args);
        const int64_t n = args.logits.size(1);
        eachRow<T>(args, [&](int64_t row, T* x, int64_t target) {
            statistics.atTarget[row] = target < 0 ? 0 : static_cast<double>(x[target]);
            T sum = 0;
            exponentials(x, static_cast<T>(statistics.top[row]), n, sum);
            statistics.sum[row] = static_cast<double>(sum);
        });
    });
}

void sharedLoss(const SharedSoftmaxArgs& args) {
    withType(args.logits.scalar_type(), [&](auto type) {
        using T = decltype(type);
        const Statistics statistics(args);
        const double* weights = dataOf<double>(args.weights);
        double* losses = args.losses.data_ptr<double>();
        const int64_t n = args.logits.size(1);
        eachRow<T>(args, [&](int64_t row, T* x, int64_t target) {
            const double logSum = std::log(statistics.sum[row]) + statistics.top[row];
            losses[row] = logSum - statistics.atTarget[row];
            if (weights == nullptr)
                return;
            const T factor = static_cast<T>(weights[row] / statistics.sum[row] * (1 + 2 * args.zLoss * logSum));
            for (int64_t i = 0; i < n; ++i)
                x[i] *= factor;
            if (target >= 0)
                x[target] -= static_cast<T>(weights[row]);
        });
    });
}

void softmaxLoss(const SoftmaxLossArgs& args) {
    withType(args.logits.scalar_type(), [&](auto type) { run<decltype(type)>(args); });
}

}  // namespace unmask::cpu
