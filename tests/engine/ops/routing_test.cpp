// SPDX-License-Identifier: Apache-2.0
// Choice, room and order by hand-made scores; the gradient of the whole block is held to autograd in the chain's test.
#include "engine/ops/routing.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include "engine/base/error.h"
#include "tests/engine/ops/autograd_reference.h"
#include "tests/engine/ops/route_tables.h"

namespace unmask {
namespace {

using namespace reference;

at::Tensor int32(std::initializer_list<int32_t> values) {
    return at::tensor(std::vector<int32_t>(values), at::TensorOptions().dtype(at::kInt));
}

at::Tensor wholeRows(int32_t rows) {
    return int32({0, rows, 0, rows}).reshape({1, 4});
}

// Three rows, three experts.
at::Tensor someLogits() {
    return at::tensor({2.0, 1.0, 0.0, 0.0, 3.0, 1.0, 5.0, 0.0, 4.0}, float64()).reshape({3, 3});
}

TEST(Routing, BestExpertsComeFirstAndTokensStandInTheirOrder) {
    const RouteTables tables = tablesFor(someLogits(), 2);
    routeRows(tables, {}, wholeRows(3), {});
    EXPECT_TRUE(at::equal(tables.experts, int32({0, 1, 1, 2, 0, 2}).reshape({3, 2})));
    EXPECT_TRUE(at::equal(tables.bounds, int32({0, 2, 4, 6, 2, 2, 2})));
    EXPECT_TRUE(at::equal(tables.places, int32({0, 2, 3, 4, 1, 5}).reshape({3, 2})));
    EXPECT_TRUE(at::equal(tables.order.flatten(), int32({0, 4, 1, 2, 3, 5})));
    const at::Tensor scores = at::softmax(someLogits(), -1);
    expectClose(tables.scores, scores, "scores");
    const at::Tensor sum = tables.weights.sum(-1);
    expectClose(sum, at::zeros({3}, float64()) + 1, "weights add up to 1");
    EXPECT_NEAR(tables.weights[0][0].item<double>(), 1 / (1 + std::exp(-1.0)), 1e-12);
}

TEST(Routing, WeightsAreTheScoresWhereTheyAreNotNormalised) {
    const RouteTables tables = tablesFor(someLogits(), 2);
    routeRows(tables, {}, wholeRows(3), {.kind = RouterKind::sigmoid, .normalised = false});
    EXPECT_NEAR(tables.weights[2][0].item<double>(), 1 / (1 + std::exp(-5.0)), 1e-12);
    EXPECT_NEAR(tables.weights[2][1].item<double>(), 1 / (1 + std::exp(-4.0)), 1e-12);
}

TEST(Routing, EqualScoresGoToTheLowerNumber) {
    const RouteTables tables = tablesFor(at::zeros({2, 5}, float64()), 3);
    routeRows(tables, {}, wholeRows(2), {});
    EXPECT_TRUE(at::equal(tables.experts, int32({0, 1, 2, 0, 1, 2}).reshape({2, 3})));
}

TEST(Routing, ABiasMovesTheChoiceButNotTheWeights) {
    const RouteTables tables = tablesFor(someLogits(), 1);
    routeRows(tables, at::tensor({0.0, 0.0, 9.0}, float64()), wholeRows(3), {.normalised = false});
    EXPECT_TRUE(at::equal(tables.experts, int32({2, 2, 2}).reshape({3, 1})));
    expectClose(tables.weights.flatten(), at::softmax(someLogits(), -1).select(1, 2), "weights");
}

TEST(Routing, FirstChoicesFindRoomBeforeSecondOnes) {
    // Rows 0 and 2 want expert 0 first; row 1 wants it second. Room for two.
    const at::Tensor logits = at::tensor({2.0, 1.0, 0.0, 2.5, 3.0, 1.0, 5.0, 0.0, 4.0}, float64()).reshape({3, 3});
    const RouteTables tables = tablesFor(logits, 2);
    routeRows(tables, {}, wholeRows(3), {.capacity = 2});
    EXPECT_TRUE(at::equal(tables.experts, int32({0, 1, 1, 0, 0, 2}).reshape({3, 2})));
    EXPECT_TRUE(at::equal(tables.places, int32({0, 2, 3, -1, 1, 4}).reshape({3, 2})));
    EXPECT_TRUE(at::equal(tables.bounds, int32({0, 2, 4, 5, 3, 2, 1})));
}

TEST(Routing, CapacityIsAMultipleOfTheEvenShare) {
    EXPECT_EQ(expertCapacity(0, 100, 4, 2), 0);
    EXPECT_EQ(expertCapacity(1, 100, 4, 2), 50);
    EXPECT_EQ(expertCapacity(1.25, 100, 4, 2), 63);
    EXPECT_EQ(expertCapacity(0.001, 100, 4, 2), 1);
}

TEST(Routing, PaddingHasNoRoute) {
    const RouteTables tables = tablesFor(at::zeros({5, 3}, float64()), 2);
    const at::Tensor segments = int32({0, 1, 0, 1, 3, 5, 3, 5}).reshape({2, 4});
    EXPECT_EQ(routedRows(segments), 3);
    routeRows(tables, {}, segments, {});
    EXPECT_TRUE(at::equal(tables.places.select(1, 0), int32({0, -1, -1, 1, 2})));
    EXPECT_EQ(tables.bounds[3].item<int32_t>(), 6);
    const at::Tensor gradient = random({5, 2});
    EXPECT_GT(routeBackward(tables, gradient, {}, 1), 0);
    EXPECT_EQ(tables.scores.narrow(0, 1, 2).abs().max().item<double>(), 0);
    EXPECT_GT(tables.scores[3].abs().max().item<double>(), 0);
}

TEST(Routing, BalanceLossIsOneWhenEvenAndGrowsWithOneFavourite) {
    const RouteTables even = tablesFor(at::zeros({3, 3}, float64()), 3);
    routeRows(even, {}, wholeRows(3), {});
    EXPECT_NEAR(routeBackward(even, at::zeros({3, 3}, float64()), {}, 0), 1, 1e-12);
    const at::Tensor favourite = at::zeros({3, 3}, float64());
    favourite.select(1, 1).fill_(50);
    const RouteTables uneven = tablesFor(favourite, 1);
    routeRows(uneven, {}, wholeRows(3), {});
    EXPECT_NEAR(routeBackward(uneven, at::zeros({3, 1}, float64()), {}, 0), 3, 1e-9);
}

TEST(Routing, RowsGoToTheirExpertsAndBack) {
    at::manual_seed(3);
    const RouteTables tables = tablesFor(random({7, 4}), 2);
    routeRows(tables, {}, wholeRows(7), {});
    const at::Tensor x = random({7, 6});
    const at::Tensor sent = at::zeros({14, 6}, float64());
    gatherRoutes(x, tables, sent);
    const at::Tensor back = at::zeros({7, 6}, float64());
    addRoutes(sent, tables, RouteSum::weighted, back);
    expectClose(back, x, "weights of a row add up to 1");
    addRoutes(sent, tables, RouteSum::plain, back);
    expectClose(back, 3 * x, "two choices more");
    const at::Tensor products = at::zeros({7, 2}, float64());
    addRouteProducts(sent, sent, tables, 0, products);
    const at::Tensor squares = (x * x).sum(-1, true);
    expectClose(products, squares + at::zeros({7, 2}, float64()), "products");
    weighRoutes(sent, tables);
    at::Tensor again = at::zeros({7, 6}, float64());
    addRoutes(sent, tables, RouteSum::plain, again);
    expectClose(again, x, "weighed");
}

TEST(Routing, WrongShapesAndScoresThatAreNoNumbersDoNoHarm) {
    RouteTables tables = tablesFor(someLogits(), 2);
    EXPECT_THROW(gatherRoutes(random({2, 3}), tables, random({5, 3})), Error);
    EXPECT_THROW(routeRows(tables, random({2}), wholeRows(3), {}), Error);
    tables.scores.fill_(std::nan(""));
    routeRows(tables, {}, wholeRows(3), {});
    EXPECT_TRUE(at::equal(tables.experts.select(0, 0), int32({0, 1})));
    EXPECT_TRUE(tables.weights.isnan().all().item<bool>());
}

}  // namespace
}  // namespace unmask
