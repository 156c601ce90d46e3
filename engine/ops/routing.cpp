// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/routing.h"

#include <algorithm>
#include <cmath>

#include "engine/ops/checks.h"
#include "engine/ops/cpu/kernels.h"

namespace unmask {

using ops::isDenseMatrix;
using ops::isMatrix;
using ops::require;

namespace {

constexpr const char* kOp = "routing";

void requireHost(const at::Tensor& tensor) {
    if (ops::onGpu(tensor, kOp))
        throw Error{ErrorCode::badInput, "[routing] experts compute on the CPU only in this version"};
}

bool isIndexMatrix(const at::Tensor& t, int64_t rows, int64_t columns) {
    return isDenseMatrix(t, rows, columns) && t.scalar_type() == at::kInt;
}

void check(const RouteTables& tables) {
    const int64_t n = tables.scores.size(0);
    const int64_t e = tables.scores.size(1);
    const int64_t k = tables.weights.size(1);
    require(isDenseMatrix(tables.scores, n, e) && isDenseMatrix(tables.weights, n, k) && k <= e &&
                isIndexMatrix(tables.experts, n, k) && isIndexMatrix(tables.places, n, k) &&
                isIndexMatrix(tables.order, n, k) && ops::isVector(tables.bounds, 2 * e + 1) &&
                tables.bounds.scalar_type() == at::kInt,
            kOp, "tables do not have matching shapes");
    requireHost(tables.scores);
}

int64_t taken(const RouteTables& tables) {
    return tables.bounds.data_ptr<int32_t>()[tables.scores.size(1)];
}

}  // namespace

int64_t expertCapacity(double factor, int64_t rows, int64_t experts, int64_t expertsPerToken) {
    if (factor <= 0)
        return 0;
    const double share = static_cast<double>(rows * expertsPerToken) / static_cast<double>(experts);
    return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(factor * share)));
}

int64_t routedRows(const at::Tensor& segments) {
    require(isIndexMatrix(segments, segments.size(0), 4), kOp, "segments must be (S, 4) int32");
    const int32_t* bounds = segments.data_ptr<int32_t>();
    int64_t rows = 0;
    for (int64_t s = 0; s < segments.size(0); ++s)
        rows += bounds[4 * s + 1] - bounds[4 * s];
    return rows;
}

void routeRows(const RouteTables& tables, const at::Tensor& bias, const at::Tensor& segments,
               const RouteOptions& options) {
    check(tables);
    require(isIndexMatrix(segments, segments.size(0), 4), kOp, "segments must be (S, 4) int32");
    require(!bias.defined() || ops::isVector(bias, tables.scores.size(1)), kOp, "the bias has the wrong size");
    cpu::routeRows(tables, bias, segments, options);
}

double routeBackward(const RouteTables& tables, const at::Tensor& gradientWeights, const RouteOptions& options,
                     double balanceWeight) {
    check(tables);
    require(isDenseMatrix(gradientWeights, tables.weights.size(0), tables.weights.size(1)), kOp,
            "the gradient of the weights has the wrong shape");
    return cpu::routeBackward(tables, gradientWeights, options, balanceWeight);
}

void gatherRoutes(const at::Tensor& x, const RouteTables& tables, const at::Tensor& out) {
    check(tables);
    require(isMatrix(x, tables.scores.size(0), out.size(1)) && isDenseMatrix(out, taken(tables), x.size(1)), kOp,
            "shapes do not meet");
    cpu::gatherRoutes(x, tables, out);
}

void weighRoutes(const at::Tensor& rows, const RouteTables& tables) {
    check(tables);
    require(isDenseMatrix(rows, taken(tables), rows.size(1)), kOp, "shapes do not meet");
    cpu::weighRoutes(rows, tables);
}

void addRoutes(const at::Tensor& y, const RouteTables& tables, RouteSum sum, const at::Tensor& out) {
    check(tables);
    require(isDenseMatrix(y, taken(tables), out.size(1)) && isMatrix(out, tables.scores.size(0), y.size(1)), kOp,
            "shapes do not meet");
    cpu::addRoutes(y, tables, sum, out);
}

void addRouteProducts(const at::Tensor& a, const at::Tensor& b, const RouteTables& tables, int64_t first,
                      const at::Tensor& gradientWeights) {
    check(tables);
    require(isMatrix(a, b.size(0), b.size(1)) && isMatrix(b, a.size(0), a.size(1)) && first >= 0 &&
                first + a.size(0) <= taken(tables) &&
                isDenseMatrix(gradientWeights, tables.weights.size(0), tables.weights.size(1)),
            kOp, "shapes do not meet");
    cpu::addRouteProducts(a, b, tables, first, gradientWeights);
}

}  // namespace unmask
