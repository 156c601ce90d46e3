// SPDX-License-Identifier: Apache-2.0
// What passes between stages; whole trainings are in tests/engine/train/shared_stages_test.cpp.
#include "engine/parallel/stage_chain.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

at::Tensor filled(double value) {
    return at::full({5}, value, at::TensorOptions().dtype(at::kDouble));
}

TEST(StageChain, WhatIsSentMayBeOverwrittenAndArrivesByItsTag) {
    const auto failures = onRanks(3, [&](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("stages", {0, 1, 2});
        const auto ends = rendezvous.makeGroup("ends", rank == 1 ? std::vector{1} : std::vector{0, 2});
        StageChain chain(*group, *ends);
        const at::Tensor values = filled(0);
        if (rank == 0) {
            for (int64_t tag = 0; tag < 4; ++tag) {
                values.fill_(static_cast<double>(10 + tag));
                chain.send(values, 1, tag);
            }
        } else if (rank == 1) {
            for (const int64_t tag : {2, 0, 3, 1}) {
                chain.receive(values, 0, tag);
                EXPECT_TRUE(values.equal(filled(static_cast<double>(10 + tag)))) << tag;
            }
        }
        chain.finishSends();
        values.fill_(rank);
        chain.shareLast(values);
        EXPECT_TRUE(values.equal(filled(2)));
    });
    EXPECT_EQ(failures, std::vector<std::string>(3));
}

TEST(StageChain, GradientsOfATiedMatrixAreSummedAtBothEndsAndCountedAtTheFirst) {
    const auto failures = onRanks(3, [&](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("stages", {0, 1, 2});
        const auto ends = rendezvous.makeGroup("ends", rank == 1 ? std::vector{1} : std::vector{0, 2});
        StageChain chain(*group, *ends);
        const at::Tensor gradient = filled(rank + 1);
        if (rank != 1)
            chain.watchTied(gradient);
        chain.settleTied();
        EXPECT_TRUE(gradient.equal(filled(rank == 1 ? 2 : 4)));
        EXPECT_EQ(chain.squaresCountedElsewhere(), rank == 2 ? 5 * 16 : 0);
    });
    EXPECT_EQ(failures, std::vector<std::string>(3));
}

}  // namespace
}  // namespace unmask::test
