// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/tensor.h>

#include "engine/planner/layer_memory.h"
#include "tests/engine/ops/cpu/fp32_check.h"

namespace unmask {
namespace {

using namespace reference;

// Several segments and head groups, so that tasks really run side by side.
at::Tensor outputAndGradients(at::ScalarType type) {
    at::manual_seed(41);
    const int64_t rows = 4, length = 40, heads = 4, groups = 2, d = 8, n = rows * length;
    const auto options = at::TensorOptions().dtype(type);
    AttentionArgs args;
    args.query = random({n, heads * d}).to(type);
    args.key = random({n, groups * d}).to(type);
    args.value = random({n, groups * d}).to(type);
    std::vector<int32_t> bounds;
    for (int32_t begin = 0; begin < n; begin += 20)
        bounds.insert(bounds.end(), {begin, begin + 20, begin, begin + 20});
    args.bounds = at::tensor(bounds, at::TensorOptions().dtype(at::kInt)).reshape({-1, 4});
    args.headWidth = d;
    args.out = at::empty({n, heads * d}, options);
    args.logSumExp = at::empty({n, heads}, options);
    ModelConfig model;
    model.width = heads * d;
    model.heads = heads;
    args.scratchElements = attentionScratchElements(model, {.rows = rows, .length = length});
    args.scratch = at::empty({at::get_num_threads() * args.scratchElements}, options);
    cpu::attentionForward(args);
    const at::Tensor out = args.out.clone();
    cpu::attentionBackward({args, random({n, heads * d}).to(type)});
    return at::cat({out, args.query, args.key, args.value}, 1);
}

TEST(CpuAttention, Fp32FollowsFp64) {
    expectFollows(outputAndGradients(at::kFloat), outputAndGradients(at::kDouble), "all");
}

TEST(CpuAttention, TasksDoNotMeet) {
    expectSameBitsWithAnyThreads([] { return outputAndGradients(at::kFloat); });
}

}  // namespace
}  // namespace unmask
