// SPDX-License-Identifier: Apache-2.0
// Tables of routes for given logits, before any route is chosen.
#pragma once

#include <ATen/ops/zeros.h>

#include "engine/ops/routing.h"

namespace unmask::reference {

inline RouteTables tablesFor(const at::Tensor& logits, int64_t k) {
    const auto indices = at::TensorOptions().dtype(at::kInt);
    const int64_t n = logits.size(0), e = logits.size(1);
    return {logits.clone(),
            at::zeros({n, k}, logits.options()),
            at::zeros({n, k}, indices),
            at::zeros({n, k}, indices),
            at::zeros({n, k}, indices),
            at::zeros({2 * e + 1}, indices)};
}

}  // namespace unmask::reference
