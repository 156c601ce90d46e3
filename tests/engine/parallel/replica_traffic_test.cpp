// SPDX-License-Identifier: Apache-2.0
// The traffic alone, with slabs of made-up numbers; whole trainings are in tests/engine/train/shared_batches_test.cpp.
#include "engine/parallel/replica_traffic.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

constexpr int64_t kLength = 64;  // of a slab: two parts of 32

std::vector<Slab> fourSlabs() {
    std::vector<Slab> slabs;
    for (const char* name : {"embedding", "block 0", "block 1", "head"})
        slabs.push_back({name, at::full({kLength}, 1.0), at::zeros({kLength}), 40, {}});
    return slabs;
}

// One micro-batch whose gradients are `value` everywhere.
void walk(ReplicaTraffic& traffic, std::vector<Slab>& slabs, double value) {
    traffic.nextMicroBatch();
    for (size_t slab = 0; slab < slabs.size(); ++slab)
        traffic.beforeForward(slab);
    slabs[3].gradients.add_(value);
    traffic.afterBackward(3);
    for (const size_t block : {2, 1}) {
        traffic.beforeBackward(block);
        slabs[block].gradients.add_(value);
        traffic.afterBackward(block);
    }
    slabs[0].gradients.add_(value);
    traffic.afterBackward(0);
}

TEST(ReplicaTraffic, SumsOverCopiesAndMicroBatchesAtEveryStage) {
    for (const int64_t stage : {0, 1, 2, 3}) {
        const auto failures = onRanks(2, [&](int rank, Rendezvous& rendezvous) {
            const auto group = rendezvous.makeGroup("replicas", {0, 1});
            std::vector<Slab> slabs = fourSlabs();
            ReplicaTraffic traffic(*group, slabs, stage);
            for (size_t slab = 0; slab < slabs.size(); ++slab)
                traffic.keepValues(slab);
            traffic.beginStep(2);
            walk(traffic, slabs, rank + 1);         // 1 + 2
            walk(traffic, slabs, 10 * (rank + 1));  // 10 + 20
            traffic.finish();
            for (Slab& own : traffic.owned()) {
                EXPECT_EQ(own.gradients.numel(), stage == 0 ? kLength : kLength / 2);
                EXPECT_TRUE(own.gradients.equal(at::full({own.gradients.numel()}, 33.0))) << own.name << stage;
                own.values.fill_(rank == 0 || stage == 0 ? 5.0 : 7.0);
            }
            traffic.shareValues();
            for (size_t slab = 0; slab < slabs.size(); ++slab) {
                const at::Tensor whole = traffic.wholeValues(slab);
                EXPECT_EQ(whole[0].item<double>(), 5);
                EXPECT_EQ(whole[kLength - 1].item<double>(), stage == 0 ? 5 : 7);
            }
        });
        EXPECT_EQ(failures, std::vector<std::string>(2)) << stage;
    }
}

TEST(ReplicaTraffic, WeightDecayEndsWhereTheMatricesEnd) {
    const auto failures = onRanks(2, [](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("replicas", {0, 1});
        std::vector<Slab> slabs = fourSlabs();
        ReplicaTraffic traffic(*group, slabs, 1);
        EXPECT_EQ(traffic.owned().front().matrixElements, rank == 0 ? 32 : 8);
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

TEST(ReplicaTraffic, SlabsThatDoNotDivideAreRefused) {
    const auto failures = onRanks(2, [](int, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("replicas", {0, 1});
        std::vector<Slab> slabs{{"odd", at::zeros({33}), at::zeros({33}), 0, {}}};
        EXPECT_THROW(ReplicaTraffic(*group, slabs, 1), Error);
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

}  // namespace
}  // namespace unmask::test
