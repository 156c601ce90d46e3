// SPDX-License-Identifier: Apache-2.0
// Choosing and counting are done by one thread or row by row, so that no result depends on the number of threads; they
// cost little beside the products.
#include "engine/ops/routing.h"

#include <cmath>
#include <vector>

#include "engine/ops/cpu/kernels.h"
#include "engine/ops/cpu/parallel.h"

namespace unmask::cpu {

namespace {

template <class T>
constexpr T kSmallestSum = T(1e-20);  // sigmoid scores may all vanish

template <class T>
struct Tables {
    RowView<T> scores, weights;
    RowView<int32_t> experts, places;
    int32_t* order;
    int32_t* bounds;
    int64_t n, e, k;

    explicit Tables(const RouteTables& t)
        : scores(t.scores),
          weights(t.weights),
          experts(t.experts),
          places(t.places),
          order(dataOf<int32_t>(t.order)),
          bounds(dataOf<int32_t>(t.bounds)),
          n(scores.rows),
          e(scores.columns),
          k(weights.columns) {}
    int64_t taken() const { return bounds[e]; }
    int32_t* wanted() const { return bounds + e + 1; }  // rows that chose each expert
};

template <class T>
void softmaxRow(T* x, int64_t count) {
    T most = x[0];
    for (int64_t i = 1; i < count; ++i)
        most = std::max(most, x[i]);
    T sum = 0;
    for (int64_t i = 0; i < count; ++i) {
        x[i] = std::exp(x[i] - most);
        sum += x[i];
    }
    for (int64_t i = 0; i < count; ++i)
        x[i] /= sum;
}

template <class T>
void sigmoidRow(T* x, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        x[i] = T(1) / (T(1) + std::exp(-x[i]));
}

// The k best, the best first; of equals the lowest number. Without a comparison that NaN could break: those are taken
// only where nothing else is left, and the loss then shows them.
template <class T>
void chooseBest(const T* scores, const T* bias, int64_t e, int64_t k, int32_t* chosen, std::vector<char>& used) {
    std::fill(used.begin(), used.end(), char{0});
    for (int64_t j = 0; j < k; ++j) {
        int64_t best = -1;
        T most = 0;
        for (int64_t i = 0; i < e; ++i) {
            if (used[static_cast<size_t>(i)])
                continue;
            const T score = bias ? scores[i] + bias[i] : scores[i];
            if (best < 0 || score > most) {
                best = i;
                most = score;
            }
        }
        used[static_cast<size_t>(best)] = 1;
        chosen[j] = static_cast<int32_t>(best);
    }
}

// Whose sum the weights of a row are divided by.
template <class T>
T chosenSum(const T* scores, const int32_t* chosen, int64_t k) {
    T sum = kSmallestSum<T>;
    for (int64_t j = 0; j < k; ++j)
        sum += scores[chosen[j]];
    return sum;
}

template <class T>
void weighRow(const T* scores, const int32_t* chosen, int64_t k, bool normalised, T* weights) {
    const T sum = normalised ? chosenSum(scores, chosen, k) : T(1);
    for (int64_t j = 0; j < k; ++j)
        weights[j] = scores[chosen[j]] / sum;
}

// Gives out the room of the experts, then places in the order of experts and, inside one, of rows.
template <class T>
void placeRoutes(const Tables<T>& t, int64_t capacity) {
    std::vector<int32_t> count(static_cast<size_t>(t.e), 0);
    int32_t* wanted = t.wanted();
    std::fill(wanted, wanted + t.e, 0);
    for (int64_t j = 0; j < t.k; ++j)
        for (int64_t row = 0; row < t.n; ++row) {
            const int32_t expert = t.experts[row][j];
            t.places[row][j] = -1;
            if (expert < 0)
                continue;
            ++wanted[expert];
            int32_t& room = count[static_cast<size_t>(expert)];
            if (capacity > 0 && room >= capacity)
                continue;
            ++room;
            t.places[row][j] = 0;
        }
    t.bounds[0] = 0;
    for (int64_t i = 0; i < t.e; ++i)
        t.bounds[i + 1] = t.bounds[i] + count[static_cast<size_t>(i)];
    std::copy(t.bounds, t.bounds + t.e, count.begin());
    for (int64_t row = 0; row < t.n; ++row)
        for (int64_t j = 0; j < t.k; ++j)
            if (t.places[row][j] >= 0) {
                const int32_t place = count[static_cast<size_t>(t.experts[row][j])]++;
                t.places[row][j] = place;
                t.order[place] = static_cast<int32_t>(row * t.k + j);
            }
}

template <class T>
void routeRowsOf(const RouteTables& tables, const at::Tensor& biasT, const at::Tensor& segmentsT,
                 const RouteOptions& options) {
    const Tables<T> t(tables);
    const T* bias = dataOf<T>(biasT);
    const RowView<int32_t> segments(segmentsT);
    parallelParts(t.n, t.n * t.k, [&](int64_t begin, int64_t end, int) {
        std::fill(t.experts[begin], t.experts[end], -1);
        std::fill(t.weights[begin], t.weights[end], T(0));
    });
    for (int64_t s = 0; s < segments.rows; ++s) {
        const int64_t first = segments[s][0];
        const int64_t count = segments[s][1] - first;
        parallelParts(count, count * t.e * t.k, [&](int64_t begin, int64_t end, int) {
            std::vector<char> used(static_cast<size_t>(t.e));
            for (int64_t row = first + begin; row < first + end; ++row) {
                if (options.kind == RouterKind::softmax)
                    softmaxRow(t.scores[row], t.e);
                else
                    sigmoidRow(t.scores[row], t.e);
                chooseBest(t.scores[row], bias, t.e, t.k, t.experts[row], used);
                weighRow(t.scores[row], t.experts[row], t.k, options.normalised, t.weights[row]);
            }
        });
    }
    placeRoutes(t, options.capacity);
}

// What the balance loss needs of a sigmoid row: its scores divided by their sum.
template <class T>
T scoreSum(const T* scores, int64_t e, RouterKind kind) {
    if (kind == RouterKind::softmax)
        return T(1);
    T sum = kSmallestSum<T>;
    for (int64_t i = 0; i < e; ++i)
        sum += scores[i];
    return sum;
}

template <class T>
int64_t routedRows(const Tables<T>& t) {
    int64_t rows = 0;
    for (int64_t row = 0; row < t.n; ++row)
        rows += t.experts[row][0] >= 0 ? 1 : 0;
    return rows;
}

template <class T>
double balanceLoss(const Tables<T>& t, int64_t rows, RouterKind kind) {
    std::vector<double> mean(static_cast<size_t>(t.e), 0);
    for (int64_t row = 0; row < t.n; ++row) {
        if (t.experts[row][0] < 0)
            continue;
        const T sum = scoreSum(t.scores[row], t.e, kind);
        for (int64_t i = 0; i < t.e; ++i)
            mean[static_cast<size_t>(i)] += static_cast<double>(t.scores[row][i] / sum);
    }
    double loss = 0;
    for (int64_t i = 0; i < t.e; ++i)
        loss += static_cast<double>(t.wanted()[i]) * mean[static_cast<size_t>(i)];
    const auto n = static_cast<double>(rows);
    return loss * static_cast<double>(t.e) / (n * n * static_cast<double>(t.k));
}

// Gradient of one row's scores into `slope`.
template <class T>
void scoreGradient(const Tables<T>& t, int64_t row, const T* gradientWeights, const RouteOptions& options,
                   T balancePerChoice, T* slope) {
    const T* s = t.scores[row];
    const T total = scoreSum(s, t.e, options.kind);
    T mean = 0;  // Σ q · dq, with q the scores that the balance loss sees
    for (int64_t i = 0; i < t.e; ++i) {
        slope[i] = balancePerChoice * static_cast<T>(t.wanted()[i]);
        mean += slope[i] * s[i] / total;
    }
    if (options.kind == RouterKind::sigmoid)
        for (int64_t i = 0; i < t.e; ++i)
            slope[i] = (slope[i] - mean) / total;
    const int32_t* chosen = t.experts[row];
    const T* w = t.weights[row];
    T along = 0;
    const T sum = options.normalised ? chosenSum(s, chosen, t.k) : T(1);
    for (int64_t j = 0; options.normalised && j < t.k; ++j)
        along += gradientWeights[j] * w[j];
    for (int64_t j = 0; j < t.k; ++j)
        slope[chosen[j]] += (gradientWeights[j] - along) / sum;
}

template <class T>
double routeBackwardOf(const RouteTables& tables, const at::Tensor& gradientT, const RouteOptions& options,
                       double balanceWeight) {
    const Tables<T> t(tables);
    const RowView<T> gradient(gradientT);
    const int64_t rows = routedRows(t);
    const double loss = rows == 0 ? 0 : balanceLoss(t, rows, options.kind);
    const auto n = static_cast<double>(std::max<int64_t>(rows, 1));
    const T perChoice = static_cast<T>(balanceWeight * static_cast<double>(t.e) / (n * n * static_cast<double>(t.k)));
    parallelParts(t.n, 4 * t.n * t.e, [&](int64_t begin, int64_t end, int) {
        std::vector<T> slope(static_cast<size_t>(t.e));
        for (int64_t row = begin; row < end; ++row) {
            T* s = t.scores[row];
            if (t.experts[row][0] < 0) {
                std::fill(s, s + t.e, T(0));
                continue;
            }
            scoreGradient(t, row, gradient[row], options, perChoice, slope.data());
            T mean = 0;
            for (int64_t i = 0; options.kind == RouterKind::softmax && i < t.e; ++i)
                mean += slope[static_cast<size_t>(i)] * s[i];
            for (int64_t i = 0; i < t.e; ++i) {
                const T d = slope[static_cast<size_t>(i)];
                s[i] *= options.kind == RouterKind::softmax ? d - mean : d * (T(1) - s[i]);
            }
        }
    });
    return loss;
}

template <class T>
void addRoutesOf(const at::Tensor& yT, const RouteTables& tables, RouteSum sum, const at::Tensor& outT) {
    const Tables<T> t(tables);
    const RowView<T> y(yT), out(outT);
    parallelParts(t.n, t.n * t.k * out.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row)
            for (int64_t j = 0; j < t.k; ++j) {
                const int32_t place = t.places[row][j];
                if (place < 0)
                    continue;
                const T weight = sum == RouteSum::weighted ? t.weights[row][j] : T(1);
                const T* from = y[place];
                T* to = out[row];
                for (int64_t i = 0; i < out.columns; ++i)
                    to[i] += weight * from[i];
            }
    });
}

template <class T>
void gatherRoutesOf(const at::Tensor& xT, const RouteTables& tables, const at::Tensor& outT) {
    const Tables<T> t(tables);
    const RowView<T> x(xT), out(outT);
    parallelParts(out.rows, out.rows * out.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t place = begin; place < end; ++place) {
            const T* from = x[t.order[place] / t.k];
            std::copy(from, from + out.columns, out[place]);
        }
    });
}

template <class T>
void weighRoutesOf(const at::Tensor& rowsT, const RouteTables& tables) {
    const Tables<T> t(tables);
    const RowView<T> rows(rowsT);
    const T* weights = t.weights.data;
    parallelParts(rows.rows, rows.rows * rows.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t place = begin; place < end; ++place) {
            const T weight = weights[t.order[place]];
            T* row = rows[place];
            for (int64_t i = 0; i < rows.columns; ++i)
                row[i] *= weight;
        }
    });
}

template <class T>
void addRouteProductsOf(const at::Tensor& aT, const at::Tensor& bT, const RouteTables& tables, int64_t first,
                        const at::Tensor& gradientT) {
    const Tables<T> t(tables);
    const RowView<T> a(aT), b(bT);
    T* gradient = dataOf<T>(gradientT);
    parallelParts(a.rows, a.rows * a.columns, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row) {
            T sum = 0;
            for (int64_t i = 0; i < a.columns; ++i)
                sum += a[row][i] * b[row][i];
            gradient[t.order[first + row]] += sum;
        }
    });
}

}  // namespace

void routeRows(const RouteTables& tables, const at::Tensor& bias, const at::Tensor& segments,
               const RouteOptions& options) {
    withType(tables.scores.scalar_type(),
             [&](auto type) { routeRowsOf<decltype(type)>(tables, bias, segments, options); });
}

double routeBackward(const RouteTables& tables, const at::Tensor& gradientWeights, const RouteOptions& options,
                     double balanceWeight) {
    double loss = 0;
    withType(tables.scores.scalar_type(), [&](auto type) {
        loss = routeBackwardOf<decltype(type)>(tables, gradientWeights, options, balanceWeight);
    });
    return loss;
}

void gatherRoutes(const at::Tensor& x, const RouteTables& tables, const at::Tensor& out) {
    withType(x.scalar_type(), [&](auto type) { gatherRoutesOf<decltype(type)>(x, tables, out); });
}

void weighRoutes(const at::Tensor& rows, const RouteTables& tables) {
    withType(rows.scalar_type(), [&](auto type) { weighRoutesOf<decltype(type)>(rows, tables); });
}

void addRoutes(const at::Tensor& y, const RouteTables& tables, RouteSum sum, const at::Tensor& out) {
    withType(y.scalar_type(), [&](auto type) { addRoutesOf<decltype(type)>(y, tables, sum, out); });
}

void addRouteProducts(const at::Tensor& a, const at::Tensor& b, const RouteTables& tables, int64_t first,
                      const at::Tensor& gradientWeights) {
    withType(a.scalar_type(),
             [&](auto type) { addRouteProductsOf<decltype(type)>(a, b, tables, first, gradientWeights); });
}

}  // namespace unmask::cpu
