// SPDX-License-Identifier: Apache-2.0
// The CPU implementations behind the ops; arguments have been checked by the caller.
#pragma once

#include "engine/ops/activation.h"
#include "engine/ops/adamw.h"
#include "engine/ops/attention.h"
#include "engine/ops/embedding.h"
#include "engine/ops/masked_cross_entropy.h"
#include "engine/ops/norm.h"
#include "engine/ops/rotary.h"
#include "engine/ops/routing.h"

namespace unmask::cpu {

void normForward(const NormArgs& args);
void normBackward(const NormBackwardArgs& args);
void rotaryTable(const at::Tensor& table, double base);
void rotaryForward(const RotaryArgs& args);
void rotaryBackward(const RotaryBackwardArgs& args);
void swigluForward(const at::Tensor& inner, const at::Tensor& product);
void swigluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner);
void geluForward(const at::Tensor& inner, const at::Tensor& product);
void geluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner);
void attentionForward(const AttentionArgs& args);
void attentionBackward(const AttentionBackwardArgs& args);
void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out);
void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient);
void embeddingPartForward(const at::Tensor& tokens, const at::Tensor& weight, int64_t first, const at::Tensor& out);
void embeddingPartBackward(const at::Tensor& tokens, const at::Tensor& gradient, int64_t first,
                           const at::Tensor& weightGradient);
void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
void addColumnSums(const at::Tensor& x, const at::Tensor& sums, const at::Tensor& scratch);
void addRowBias(const at::Tensor& bias, const at::Tensor& y);
void routeRows(const RouteTables& tables, const at::Tensor& bias, const at::Tensor& segments,
               const RouteOptions& options);
double routeBackward(const RouteTables& tables, const at::Tensor& gradientWeights, const RouteOptions& options,
                     double balanceWeight);
void gatherRoutes(const at::Tensor& x, const RouteTables& tables, const at::Tensor& out);
void weighRoutes(const at::Tensor& rows, const RouteTables& tables);
void addRoutes(const at::Tensor& y, const RouteTables& tables, RouteSum sum, const at::Tensor& out);
void addRouteProducts(const at::Tensor& a, const at::Tensor& b, const RouteTables& tables, int64_t first,
                      const at::Tensor& gradientWeights);
void adamwUpdate(const Slab& slab, const AdamWArgs& args);
double sumOfSquares(const at::Tensor& values);

// c (M, N) = a (M, K) · b (K, N), where b may be a transposed view. False: nothing done, this product is for ATen.
bool blockedProduct(const at::Tensor& a, const at::Tensor& b, const at::Tensor& c);

// One chunk of rows: logits (rows, columns; strided) → losses and, with `gradients`, logits become weights ·
// (softmax − onehot). Column `excluded` (or −1) has no probability.
struct SoftmaxLossArgs {
    at::Tensor logits;
    at::Tensor targets;  // (rows) int64
    at::Tensor weights;  // (rows) float64; undefined without gradients
    at::Tensor losses;   // out (rows) float64
    int64_t excluded = -1;
    double zLoss = 0;
};
void softmaxLoss(const SoftmaxLossArgs& args);

// The same where devices have some of the columns each, in three passes; statistics are made one of all devices' after
// each of the first two. Targets are those of all columns.
struct SharedSoftmaxArgs : SoftmaxLossArgs {
    int64_t firstColumn = 0;
    at::Tensor statistics;  // (3, rows) float64: largest logit, sum of exponentials, the target's logit or 0
};
void sharedMaxima(const SharedSoftmaxArgs& args);  // → statistics[0]
void sharedSums(const SharedSoftmaxArgs& args);    // → statistics[1], [2]; logits become exponentials
void sharedLoss(const SharedSoftmaxArgs& args);    // → losses, and with `weights` the gradient in logits

}  // namespace unmask::cpu
