// SPDX-License-Identifier: Apache-2.0
// Attention over packed segments against float64 autograd: grouped heads, padding, long segments that need several
// tiles, and queries that are a subset of the rows.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>

#include "engine/ops/attention.h"
#include "engine/planner/layer_memory.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

using namespace reference;

struct AttentionCase {
    SegmentLayout layout;
    int64_t heads, groups, d;
    std::vector<int64_t> scored;  // query rows; empty means all
};

int64_t scratchElements(const AttentionCase& c) {
    ModelConfig model;
    model.width = c.heads * c.d;
    model.heads = c.heads;
    return attentionScratchElements(model, {.rows = 1, .length = c.layout.length});
}

at::Tensor boundsOf(const AttentionCase& c) {
    std::vector<int32_t> values;
    for (const Segment& s : c.layout.segments) {
        const auto first = static_cast<int32_t>(s.begin);
        const auto end = static_cast<int32_t>(s.begin + s.length);
        int32_t from = first;
        int32_t to = end;
        if (!c.scored.empty()) {
            from = static_cast<int32_t>(std::lower_bound(c.scored.begin(), c.scored.end(), first) - c.scored.begin());
            to = static_cast<int32_t>(std::lower_bound(c.scored.begin(), c.scored.end(), end) - c.scored.begin());
        }
        values.insert(values.end(), {from, to, first, end});
    }
    return at::tensor(values, at::TensorOptions().dtype(at::kInt)).reshape({-1, 4});
}

class AttentionTest : public testing::TestWithParam<AttentionCase> {};

TEST_P(AttentionTest, MatchesAutograd) {
    const AttentionCase c = GetParam();
    at::manual_seed(11);
    const int64_t n = c.layout.tokens();
    const at::Tensor query = differentiable(random({n, c.heads, c.d}));
    const at::Tensor key = differentiable(random({n, c.groups, c.d}));
    const at::Tensor value = differentiable(random({n, c.groups, c.d}));
    at::Tensor expected = attention(query, key, value, c.layout).reshape({n, c.heads * c.d});
    at::Tensor queries = query.detach().reshape({n, c.heads * c.d});
    at::Tensor rows;
    if (!c.scored.empty()) {
        rows = at::tensor(c.scored, at::TensorOptions().dtype(at::kLong));
        expected = at::index_select(expected, 0, rows);
        queries = at::index_select(queries, 0, rows);
    }
    const int64_t q = queries.size(0);
    const at::Tensor gradient = random({q, c.heads * c.d});
    (expected * gradient).sum().backward();

    // Key and value lie side by side in one buffer, as in the model.
    const at::Tensor joint = at::cat({key.detach().reshape({n, -1}), value.detach().reshape({n, -1})}, 1);
    AttentionArgs args;
    args.query = queries.clone();
    args.key = joint.narrow(1, 0, c.groups * c.d);
    args.value = joint.narrow(1, c.groups * c.d, c.groups * c.d);
    args.bounds = boundsOf(c);
    args.headWidth = c.d;
    args.out = at::empty({q, c.heads * c.d}, float64());
    args.logSumExp = at::empty({q, c.heads}, float64());
    args.scratchElements = scratchElements(c);
    args.scratch = at::empty({at::get_num_threads() * args.scratchElements}, float64());
    attentionForward(args);
    expectClose(args.out, expected, "out");

    attentionBackward({args, gradient});
    const at::Tensor gradientQuery = query.grad().reshape({n, c.heads * c.d});
    expectClose(args.query, c.scored.empty() ? gradientQuery : at::index_select(gradientQuery, 0, rows), "query");
    expectClose(args.key, key.grad().reshape({n, -1}), "key");
    expectClose(args.value, value.grad().reshape({n, -1}), "value");
}

INSTANTIATE_TEST_SUITE_P(Shapes, AttentionTest,
                         testing::Values(AttentionCase{SegmentLayout::wholeRows(3, 16), 2, 2, 8, {}},
                                         AttentionCase{packedLayout(), 4, 2, 6, {}},
                                         AttentionCase{packedLayout(), 3, 1, 10, {}},
                                         AttentionCase{packedLayout(), 4, 4, 2, {0, 3, 4, 8, 20, 25}},
                                         AttentionCase{packedLayout(), 4, 2, 4, {14}},
                                         AttentionCase{SegmentLayout::wholeRows(1, 700), 2, 1, 4, {}}));

TEST(Attention, TokensOfOtherSegmentsDoNotMatter) {
    const AttentionCase c{packedLayout(), 2, 2, 4, {}};
    at::manual_seed(12);
    const int64_t n = c.layout.tokens();
    AttentionArgs args;
    args.query = random({n, 8});
    args.key = random({n, 8});
    args.value = random({n, 8});
    args.bounds = boundsOf(c);
    args.headWidth = 4;
    args.out = at::empty({n, 8}, float64());
    args.logSumExp = at::empty({n, 2}, float64());
    args.scratchElements = scratchElements(c);
    args.scratch = at::empty({at::get_num_threads() * args.scratchElements}, float64());
    attentionForward(args);
    const at::Tensor before = args.out.clone();
    args.key.narrow(0, 5, 8).copy_(random({8, 8}));  // another segment, padding and a third segment
    args.value.narrow(0, 5, 8).copy_(random({8, 8}));
    attentionForward(args);
    EXPECT_TRUE(at::equal(args.out.narrow(0, 0, 5), before.narrow(0, 0, 5)));
    EXPECT_TRUE(at::equal(args.out.narrow(0, 13, 13), before.narrow(0, 13, 13)));
    EXPECT_EQ(args.out.narrow(0, 6, 1).abs().sum().item<double>(), 0);
    EXPECT_EQ(args.out.narrow(0, 11, 2).abs().sum().item<double>(), 0);
}

}  // namespace
}  // namespace unmask
