// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

TEST(Layout, RefusalsNameTheField) {
    RunSpec spec = smallSpec();
    spec.parallel.tensorParallelSize = 3;
    spec.parallel.contextParallelSize = 2;
    spec.parallel.microBatchSize = 5;
    spec.training.precision = Precision::bf16;
    std::set<std::string> paths;
    for (const Problem& problem : layoutProblems(spec)) {
        EXPECT_FALSE(problem.en.empty());
        EXPECT_FALSE(problem.zh.empty());
        paths.insert(problem.path);
    }
    EXPECT_THAT(paths, testing::UnorderedElementsAre("parallel.tensor_parallel_size", "parallel.micro_batch_size",
                                                     "parallel.context_parallel_size", "training.precision"));
}

}  // namespace
}  // namespace unmask
