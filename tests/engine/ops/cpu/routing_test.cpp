// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/routing.h"

#include <ATen/ops/tensor.h>

#include "tests/engine/ops/cpu/fp32_check.h"
#include "tests/engine/ops/route_tables.h"

namespace unmask {
namespace {

using namespace reference;

constexpr int32_t kRows = 1500;  // enough for several threads

at::Tensor segments() {
    return at::tensor(std::vector<int32_t>{0, kRows, 0, kRows}, at::TensorOptions().dtype(at::kInt)).reshape({1, 4});
}

TEST(CpuRouting, Fp32FollowsFp64) {
    at::manual_seed(9);
    const at::Tensor logits = single(random({kRows, 24}));
    const at::Tensor gradient = single(random({kRows, 4}));
    for (const RouterKind kind : {RouterKind::softmax, RouterKind::sigmoid}) {
        const RouteOptions options{.kind = kind};
        const RouteTables narrow = tablesFor(logits, 4), wide = tablesFor(logits.to(at::kDouble), 4);
        cpu::routeRows(narrow, {}, segments(), options);
        cpu::routeRows(wide, {}, segments(), options);
        EXPECT_TRUE(at::equal(narrow.order, wide.order));
        expectFollows(narrow.weights, wide.weights, "weights");
        const double loss = cpu::routeBackward(narrow, gradient, options, 5);
        EXPECT_NEAR(loss, cpu::routeBackward(wide, gradient.to(at::kDouble), options, 5), 1e-5);
        expectFollows(narrow.scores, wide.scores, "gradient of the logits");
    }
}

TEST(CpuRouting, ThreadsDoNotChangeBits) {
    at::manual_seed(10);
    const at::Tensor logits = single(random({kRows, 24}));
    const at::Tensor x = single(random({kRows, 40}));
    const at::Tensor gradient = single(random({kRows, 4}));
    expectSameBitsWithAnyThreads([&] {
        const RouteTables tables = tablesFor(logits, 4);
        cpu::routeRows(tables, {}, segments(), {.capacity = 260});
        const int64_t taken = tables.bounds[24].item<int32_t>();
        EXPECT_LT(taken, 4 * kRows);
        const at::Tensor rows = at::empty({taken, 40}, float32());
        cpu::gatherRoutes(x, tables, rows);
        cpu::weighRoutes(rows, tables);
        const at::Tensor out = x.clone();
        cpu::addRoutes(rows, tables, RouteSum::weighted, out);
        const at::Tensor weights = gradient.clone();
        cpu::addRouteProducts(rows, rows, tables, 0, weights);
        cpu::routeBackward(tables, weights, {.capacity = 260}, 1);
        return at::cat({out.flatten(), weights.flatten(), tables.scores.flatten()});
    });
}

}  // namespace
}  // namespace unmask
