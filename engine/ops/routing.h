// SPDX-License-Identifier: Apache-2.0
// Which experts each token goes through, and the way there and back: tokens are copied into the order of their experts,
// so that each expert works on contiguous rows. Routing after Shazeer et al. 2017; capacity after Lepikhin et al. 2020
// (GShard), first choices before second ones; a bias that moves the choice alone after Wang et al. 2024.
// CPU only so far. N rows, E experts, k of them a row, A ≤ N · k routes that are taken.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/protocol/model_config.h"

namespace unmask {

struct RouteTables {
    at::Tensor scores;   // (N, E) softmax or sigmoid of the router's logits
    at::Tensor weights;  // (N, k) of the chosen experts
    at::Tensor experts;  // (N, k) int32, the best first; of equal scores the lower number; −1 in rows without routes
    at::Tensor places;   // (N, k) int32, in the order by experts; −1 where the expert was full
    at::Tensor order;    // (N, k) int32, the inverse: order[place] = row · k + choice, for the first A
    at::Tensor bounds;   // (2E + 1) int32: where each expert's rows begin, with the end A behind, then how many rows
                         // chose each expert, those that it had no room for included
};

struct RouteOptions {
    RouterKind kind = RouterKind::softmax;
    bool normalised = true;  // weights of a row add up to 1
    int64_t capacity = 0;    // most rows of an expert; 0: no limit
};

// Most rows that an expert takes of `rows`, `factor` times its even share; 0 where the factor is 0.
int64_t expertCapacity(double factor, int64_t rows, int64_t experts, int64_t expertsPerToken);

// tables.scores holds the logits and becomes scores; the rest is filled. bias (E) may be undefined. segments (S, 4)
// int32: rows [begin, end) of each, its first two columns, take part; other rows are padding and get no route.
int64_t routedRows(const at::Tensor& segments);
void routeRows(const RouteTables& tables, const at::Tensor& bias, const at::Tensor& segments,
               const RouteOptions& options);

// Gradient of the logits from that of the weights (N, k) and of balanceWeight · B, where B = E · Σ_e f_e · p_e is the
// balance loss of Fedus et al. 2021 (Switch), 1 when all experts are equally busy: f_e is the share of choices that
// fell on e, p_e the mean of its scores, which sigmoid's are divided by their sum for. Overwrites tables.scores and
// returns B, 0 where no row took part.
double routeBackward(const RouteTables& tables, const at::Tensor& gradientWeights, const RouteOptions& options,
                     double balanceWeight);

// out (A, C) = rows of x (N, C) in the order by experts.
void gatherRoutes(const at::Tensor& x, const RouteTables& tables, const at::Tensor& out);
// rows (A, ·) are multiplied by the weights of their routes.
void weighRoutes(const at::Tensor& rows, const RouteTables& tables);
// out (N, C) += Σ over the choices of a row of y (A, C), in order of choice; with `weighted` times their weights.
enum class RouteSum { plain, weighted };
void addRoutes(const at::Tensor& y, const RouteTables& tables, RouteSum sum, const at::Tensor& out);
// gradientWeights (N, k) += Σ over columns of a · b, both (a.size(0), ·) from route `first` on; b's rows may be one row
// repeated with a stride of 0.
void addRouteProducts(const at::Tensor& a, const at::Tensor& b, const RouteTables& tables, int64_t first,
                      const at::Tensor& gradientWeights);

}  // namespace unmask
