// SPDX-License-Identifier: Apache-2.0
// Devices that hold the layers one after another must learn what one device learns, by every schedule, alone and
// together with copies and with devices that share each layer.
#include <mutex>

#include "tests/engine/train/shared_training.h"

namespace unmask::test {
namespace {

using Schedule = PipelineSchedule;

class SharedStagesTest : public SharedTraining {
 protected:
    SharedStagesTest() {
        m_spec.model.layers = 4;
        m_spec.model.heads = 4;
        m_spec.model.biases = true;
        m_spec.model.qkNorm = true;
    }
    void expectEqualToOne(const std::vector<Layout>& layouts, double tolerance = 1e-12) {
        const Course alone = train({});
        for (const Layout& layout : layouts)
            expectEqual(alone, train(layout), tolerance, wordsOf(layout));
    }
};

TEST_F(SharedStagesTest, TwoAndFourStagesByEverySchedule) {
    std::vector<Layout> layouts;
    for (const int64_t stages : {2, 4})
        for (const Schedule schedule : {Schedule::gpipe, Schedule::oneForwardOneBackward, Schedule::zeroBubble})
            layouts.push_back({.microRows = 2, .stages = stages, .schedule = schedule});
    layouts.push_back({.microRows = 2, .stages = 2, .schedule = Schedule::interleaved, .chunks = 2});
    layouts.push_back({.microRows = 2, .stages = 4, .schedule = Schedule::interleaved});
    expectEqualToOne(layouts);
}

// One micro-batch for all stages; and micro-batches that are no multiple of the interleaved stages.
TEST_F(SharedStagesTest, FewMicroBatchesAreEnough) {
    expectEqualToOne({{.stages = 4},
                      {.stages = 2, .schedule = Schedule::zeroBubble},
                      {.microRows = 6, .stages = 2, .schedule = Schedule::interleaved, .chunks = 2}});
}

TEST_F(SharedStagesTest, RecomputedBlocks) {
    expectEqualToOne(
        {{.microRows = 2, .recomputation = Checkpointing::full, .stages = 2},
         {.microRows = 4, .recomputation = Checkpointing::selective, .stages = 4, .schedule = Schedule::gpipe},
         {.microRows = 4,
          .recomputation = Checkpointing::full,
          .stages = 2,
          .schedule = Schedule::interleaved,
          .chunks = 2}});
}

TEST_F(SharedStagesTest, TogetherWithCopiesAndSharedLayers) {
    expectEqualToOne({{.copies = 2, .microRows = 2, .stages = 2},
                      {.copies = 2, .zeroStage = 1, .microRows = 2, .stages = 2, .schedule = Schedule::zeroBubble},
                      {.copies = 4, .zeroStage = 1, .microRows = 1, .stages = 2, .schedule = Schedule::gpipe},
                      {.microRows = 4, .tensorParts = 2, .stages = 2},
                      {.microRows = 4, .tensorParts = 2, .stages = 4, .schedule = Schedule::zeroBubble},
                      {.copies = 2,
                       .zeroStage = 1,
                       .microRows = 2,
                       .recomputation = Checkpointing::full,
                       .tensorParts = 2,
                       .stages = 2},
                      {.copies = 2,
                       .zeroStage = 1,
                       .microRows = 2,
                       .tensorParts = 2,
                       .stages = 2,
                       .schedule = Schedule::interleaved,
                       .chunks = 2}});
}

TEST_F(SharedStagesTest, ATiedHeadIsHeldAtBothEnds) {
    m_spec.model.tiedHead = true;
    expectEqualToOne({{.microRows = 4, .stages = 2},
                      {.microRows = 4, .stages = 4, .schedule = Schedule::zeroBubble},
                      {.copies = 2, .zeroStage = 1, .microRows = 4, .tensorParts = 2, .stages = 2}});
}

TEST_F(SharedStagesTest, FloatsAgreeToFiveDigits) {
    m_spec.training.precision = Precision::fp32;
    expectEqualToOne({{.microRows = 2, .stages = 4, .schedule = Schedule::zeroBubble},
                      {.copies = 2, .zeroStage = 1, .microRows = 2, .tensorParts = 2, .stages = 2}},
                     1e-5);
}

TEST_F(SharedStagesTest, AStateGoesOnInAnyOtherLayout) {
    const Course first = train({});
    const Course whole = train({}, kSteps, &first);
    const std::vector<Layout> layouts{{},
                                      {.microRows = 4, .stages = 4},
                                      {.copies = 2, .zeroStage = 3},
                                      {.microRows = 4, .stages = 2, .schedule = Schedule::interleaved, .chunks = 2},
                                      {.copies = 2, .zeroStage = 1, .microRows = 4, .tensorParts = 2, .stages = 2},
                                      {.tensorParts = 4}};
    for (size_t i = 0; i < layouts.size(); ++i) {
        const Course begun = train(layouts[i]);
        for (const size_t step : {1, 2}) {
            const Layout& to = layouts[(i + step) % layouts.size()];
            expectEqual(whole, train(to, kSteps, &begun), 1e-11, wordsOf(layouts[i]) + " to " + wordsOf(to));
        }
    }
}

TEST_F(SharedStagesTest, AllStagesSampleTheSameText) {
    const RunSpec spec = specOf({.microRows = 4, .stages = 2, .schedule = Schedule::interleaved, .chunks = 2});
    const SampleRequest request{.prompt = {72, 101}, .length = 12, .steps = 6, .temperature = 1.0, .seed = 5};
    const auto alone = assembleRun(specOf({}), m_imported);
    initialise(*alone);
    const std::vector<int32_t> expected = alone->sampler->sample(request).tokens;
    const auto failures = onRankThreads(2, [&](int rank, const MeetingPlace& place) {
        RankTeam team({place, 2, rank}, spec.parallel, 60, "test");
        const auto run = assembleRun(spec, m_imported, &team);
        initialise(*run);
        EXPECT_EQ(run->sampler->sample(request).tokens, expected);
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

TEST_F(SharedStagesTest, EachStageHoldsItsLayersAlone) {
    const RunSpec spec = specOf({.microRows = 4, .stages = 2});
    std::mutex mutex;
    std::map<std::string, int> held;
    const auto failures = onRankThreads(2, [&](int rank, const MeetingPlace& place) {
        RankTeam team({place, 2, rank}, spec.parallel, 60, "test");
        const auto run = assembleRun(spec, m_imported, &team);
        const std::lock_guard lock(mutex);
        for (const Slab& slab : run->model->slabs())
            ++held[slab.name];
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
    EXPECT_EQ(held.size(), 6);
    for (const auto& [name, times] : held)
        EXPECT_EQ(times, 1) << name;
}

}  // namespace
}  // namespace unmask::test
