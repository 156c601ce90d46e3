// SPDX-License-Identifier: Apache-2.0
// Copies of a model that share each batch must learn what one device learns, for every stage of sharing, and through
// checkpoints from any number of copies to any other.
#include <mutex>

#include "tests/engine/train/shared_training.h"

namespace unmask::test {
namespace {

class SharedBatchesTest : public SharedTraining {};

TEST_F(SharedBatchesTest, EveryStageAndNumberOfCopiesLearnsWhatOneDeviceLearns) {
    const Course alone = train({});
    for (const int64_t copies : {2, 4, 8})
        for (const int64_t stage : {0, 1, 2, 3})
            expectEqual(alone, train({copies, stage}), 1e-12, wordsOf({copies, stage}));
}

// 3 copies of a batch of 16 rows: shares of 6, 6 and 4 rows.
TEST_F(SharedBatchesTest, SharesMayBeUneven) {
    const Course alone = train({});
    for (const int64_t stage : {0, 3})
        expectEqual(alone, train({3, stage, 4}), 1e-12, wordsOf({3, stage, 4}));
}

TEST_F(SharedBatchesTest, MicroBatchesAndRecomputationChangeNothing) {
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({2, stage, 2, Checkpointing::full}), 1e-12, wordsOf({2, stage, 2}));
    expectEqual(alone, train({4, 2, 1, Checkpointing::selective}), 1e-12, wordsOf({4, 2, 1}));
}

TEST_F(SharedBatchesTest, FloatsAgreeToFiveDigits) {
    m_spec.training.precision = Precision::fp32;
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({4, stage}), 1e-5, wordsOf({4, stage}));
}

TEST_F(SharedBatchesTest, ATiedHeadSharesItsMatrixWithTheEmbedding) {
    m_spec.model.tiedHead = true;
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({2, stage}), 1e-12, wordsOf({2, stage}));
}

TEST_F(SharedBatchesTest, AStateGoesOnInAnyOtherLayout) {
    const Course first = train({});
    const Course whole = train({}, kSteps, &first);
    const std::vector<Layout> layouts{{1, 0}, {2, 0}, {2, 1}, {4, 2}, {8, 3}};
    for (const Layout& from : layouts) {
        const Course begun = train(from);
        for (const Layout& to : layouts)
            expectEqual(whole, train(to, kSteps, &begun), 1e-11, wordsOf(from) + " to " + wordsOf(to));
    }
}

TEST_F(SharedBatchesTest, EachCopyKeepsItsPartOfTheOptimizersState) {
    RunSpec spec = specOf({4, 1});
    std::mutex mutex;
    int64_t held = 0, slabs = 0;
    const auto failures = onRankThreads(4, [&](int rank, const MeetingPlace& place) {
        RankTeam team({place, 4, rank}, spec.parallel, 60, "test");
        const auto run = assembleRun(spec, m_imported, &team);
        const std::lock_guard lock(mutex);
        for (const at::Tensor& m : run->optimizer->states().front().slabs)
            held += m.numel();
        slabs = 0;
        for (const Slab& slab : run->model->slabs())
            slabs += slab.values.numel();
    });
    EXPECT_EQ(failures, std::vector<std::string>(4));
    EXPECT_EQ(held, slabs) << "all parts together are the state, once";
}

}  // namespace
}  // namespace unmask::test
