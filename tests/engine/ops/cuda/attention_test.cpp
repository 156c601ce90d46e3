// SPDX-License-Identifier: Apache-2.0
// Whole rows, packed documents and scored queries, through cuDNN and through the plain kernel.
#include "engine/ops/attention.h"

#include <ATen/Parallel.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "engine/ops/cuda/attention_plan.h"
#include "engine/planner/layer_memory.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuAttention : public GpuTest {};

struct Case {
    const char* name;
    std::vector<int32_t> bounds;  // four a segment
    int64_t queries, keys, longest;
    int64_t heads, groups, headWidth;
    bool dense;
};

std::vector<Case> cases() {
    const std::vector<int32_t> rows{0, 96, 0, 96, 96, 192, 96, 192};
    const std::vector<int32_t> documents{0,  40, 0,   40,  40,  96,  40,  96,  96,  97,
                                         96, 97, 100, 180, 100, 180, 180, 180, 180, 180};
    const std::vector<int32_t> scored{0, 17, 0, 96, 17, 17, 96, 120, 17, 60, 120, 192};
    return {{"whole rows", rows, 192, 192, 96, 3, 3, 64, true},
            {"grouped heads", rows, 192, 192, 96, 4, 2, 32, true},
            {"documents", documents, 192, 192, 96, 2, 2, 64, false},
            {"scored queries", scored, 64, 192, 96, 2, 1, 64, false},
            {"a head width for the plain kernel", documents, 192, 192, 96, 2, 1, 20, false},
            {"wide heads", rows, 192, 192, 96, 1, 1, 160, true}};
}

void run(const Case& c, at::ScalarType type) {
    SCOPED_TRACE(std::string(c.name) + " " + at::toString(type));
    const int64_t width = c.heads * c.headWidth, groupWidth = c.groups * c.headWidth;
    const bool fused = c.queries == c.keys;
    const int64_t columns = (fused ? width : 0) + 2 * groupWidth;
    Pair rows(uniform({c.keys, columns}), type), apart(uniform({c.queries, width}), type);
    Pair out(uniform({c.queries, width}), type), sums(uniform({std::max(c.queries, c.keys), c.heads}), at::kFloat);
    Pair gradientOut(uniform({c.queries, width}), type);
    Pair gradients(uniform({c.keys, columns}), type), gradientApart(uniform({c.queries, width}), type);
    const at::Tensor hostBounds = at::tensor(c.bounds, at::TensorOptions().dtype(at::kInt)).view({-1, 4});
    const int64_t first = fused ? width : 0;
    const StepShape shape{.rows = 2, .length = c.longest};
    ModelConfig model;
    model.width = width;
    model.heads = c.heads;
    const int64_t elements = attentionScratchElements(model, shape) + 4 * c.longest * c.longest;
    const auto args = [&](at::Tensor Pair::*side, const at::Tensor& bounds) {
        AttentionArgs a;
        a.query = fused ? (rows.*side).narrow(1, 0, width) : apart.*side;
        a.key = (rows.*side).narrow(1, first, groupWidth);
        a.value = (rows.*side).narrow(1, first + groupWidth, groupWidth);
        a.bounds = bounds;
        a.headWidth = c.headWidth;
        a.longest = c.longest;
        a.dense = c.dense;
        a.out = out.*side;
        a.logSumExp = (sums.*side).narrow(0, 0, c.queries);
        return a;
    };
    AttentionArgs host = args(&Pair::host, hostBounds);
    host.scratchElements = elements;
    host.scratch = at::zeros({at::get_num_threads() * elements}, float64());
    const AttentionArgs device = args(&Pair::device, hostBounds.cuda());
    attentionForward(host);
    attentionForward(device);
    const double rounding = type == at::kFloat ? 1e-5 : 2e-2;
    out.compare("out", rounding, rounding);
    rows.checkGuards("inputs");
    sums.checkGuards("log-sum-exps");

    const at::Tensor& g = gradients.device;
    attentionBackward({.forward = device,
                       .gradientOut = gradientOut.device,
                       .gradientQuery = fused ? g.narrow(1, 0, width) : gradientApart.device,
                       .gradientKey = g.narrow(1, first, groupWidth),
                       .gradientValue = g.narrow(1, first + groupWidth, groupWidth)});
    attentionBackward({.forward = host, .gradientOut = gradientOut.host});  // over the inputs
    gradients.host = rows.host;
    gradients.compare("gradients of key and value", 2 * rounding, 3 * rounding);
    if (!fused) {
        gradientApart.host = apart.host;
        gradientApart.compare("gradient of query", 2 * rounding, 3 * rounding);
    }
}

TEST_F(GpuAttention, MatchesTheCpuInBfloat16) {
    for (const Case& c : cases())
        run(c, at::kBFloat16);
}
TEST_F(GpuAttention, MatchesTheCpuInHalf) {
    for (const Case& c : cases())
        run(c, at::kHalf);
}
TEST_F(GpuAttention, MatchesTheCpuInFloat) {
    for (const Case& c : cases())
        run(c, at::kFloat);
}

TEST(AttentionPlanTest, TakesWhatCudnnTakes) {
    EXPECT_TRUE(cuda::AttentionPlan::takes(64));
    EXPECT_TRUE(cuda::AttentionPlan::takes(128));
    EXPECT_FALSE(cuda::AttentionPlan::takes(20));
    EXPECT_FALSE(cuda::AttentionPlan::takes(160));
}

}  // namespace
}  // namespace unmask::gpu
