// SPDX-License-Identifier: Apache-2.0
// Devices that share each layer, alone and together with copies that share each batch, must learn what one device
// learns, whatever the blocks are made of.
#include <gmock/gmock.h>

#include "tests/engine/train/shared_training.h"

namespace unmask::test {
namespace {

class SharedLayersTest : public SharedTraining {
 protected:
    SharedLayersTest() {
        m_spec.model.heads = 8;
        m_spec.model.keyValueHeads = 4;
        m_spec.model.biases = true;
        m_spec.model.qkNorm = true;
    }
};

TEST_F(SharedLayersTest, TwoAndFourDevicesLearnWhatOneLearns) {
    const Course alone = train({});
    for (const int64_t parts : {2, 4})
        expectEqual(alone, train({.tensorParts = parts}), 1e-12, wordsOf({.tensorParts = parts}));
}

TEST_F(SharedLayersTest, PlainBlocksToo) {
    m_spec.model.keyValueHeads = 0;
    m_spec.model.biases = false;
    m_spec.model.qkNorm = false;
    m_spec.model.activation = ActivationKind::gelu;
    m_spec.model.norm = NormKind::layerNorm;
    const Course alone = train({});
    for (const int64_t parts : {2, 4, 8})
        expectEqual(alone, train({.tensorParts = parts}), 1e-12, wordsOf({.tensorParts = parts}));
}

TEST_F(SharedLayersTest, CopiesOfSharedLayersAtEveryStage) {
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({.copies = 2, .zeroStage = stage, .tensorParts = 2}), 1e-12,
                    wordsOf({.copies = 2, .zeroStage = stage, .tensorParts = 2}));
    expectEqual(alone, train({.copies = 2, .zeroStage = 1, .tensorParts = 4}), 1e-12, "2 copies of 4 devices");
    expectEqual(alone, train({.copies = 4, .zeroStage = 3, .tensorParts = 2}), 1e-12, "4 copies of 2 devices");
}

TEST_F(SharedLayersTest, MicroBatchesAndRecomputationChangeNothing) {
    const Course alone = train({});
    for (const Layout& layout : {Layout{1, 0, 4, Checkpointing::full, 4}, Layout{2, 0, 4, Checkpointing::selective, 2},
                                 Layout{2, 2, 2, Checkpointing::selective, 2}, Layout{2, 1, 4, Checkpointing::full, 2},
                                 Layout{2, 3, 2, Checkpointing::full, 2}})
        expectEqual(alone, train(layout), 1e-12, wordsOf(layout));
}

TEST_F(SharedLayersTest, ATiedHeadHasItsRowsOfTheEmbedding) {
    m_spec.model.tiedHead = true;
    const Course alone = train({});
    for (const int64_t stage : {0, 3})
        expectEqual(alone, train({.copies = 2, .zeroStage = stage, .tensorParts = 2}), 1e-12, "tied");
    expectEqual(alone, train({.tensorParts = 4}), 1e-12, "tied, 4 devices");
}

TEST_F(SharedLayersTest, ExcludedIdsAndTheZLossAreThoseOfTheWholeVocabulary) {
    m_spec.objective.zLoss = 1e-3;
    for (const bool exclude : {false, true}) {
        m_spec.objective.excludeMaskLogit = exclude;
        expectEqual(train({}), train({.tensorParts = 4}), 1e-12, exclude ? "mask excluded" : "all ids");
    }
}

TEST_F(SharedLayersTest, FloatsAgreeToFiveDigits) {
    m_spec.training.precision = Precision::fp32;
    const Course alone = train({});
    expectEqual(alone, train({.tensorParts = 4}), 1e-5, "4 devices");
    expectEqual(alone, train({.copies = 2, .zeroStage = 3, .tensorParts = 2}), 1e-5, "2 copies of 2 devices");
}

TEST_F(SharedLayersTest, AStateGoesOnInAnyOtherLayout) {
    const Course first = train({});
    const Course whole = train({}, kSteps, &first);
    const std::vector<Layout> layouts{{},
                                      {.tensorParts = 2},
                                      {.tensorParts = 4},
                                      {.copies = 2, .zeroStage = 1},
                                      {.copies = 2, .zeroStage = 3, .tensorParts = 2}};
    for (size_t i = 0; i < layouts.size(); ++i) {
        const Course begun = train(layouts[i]);
        for (const size_t step : {1, 2}) {
            const Layout& to = layouts[(i + step) % layouts.size()];
            expectEqual(whole, train(to, kSteps, &begun), 1e-11, wordsOf(layouts[i]) + " to " + wordsOf(to));
        }
    }
}

TEST_F(SharedLayersTest, InitialWeightsAreSlicesOfOneDevicesToTheBit) {
    const RunSpec spec = specOf({.tensorParts = 4});
    const auto whole = assembleRun(specOf({}), m_imported);
    initialise(*whole);
    std::map<std::string, at::Tensor> expected;
    for (const NamedTensor& each : weightsOf(*whole->model))
        expected[each.name] = each.tensor;
    const auto failures = onRankThreads(4, [&](int rank, const MeetingPlace& place) {
        RankTeam team({place, 4, rank}, spec.parallel, 60, "test");
        const auto run = assembleRun(spec, m_imported, &team);
        initialise(*run);
        for (const NamedParameter& parameter : run->model->namedParameters())
            EXPECT_TRUE(parameter.value.equal(sliceOf(expected.at(parameter.name), parameter.slice, 4)))
                << parameter.name << " on rank " << rank;
    });
    EXPECT_EQ(failures, std::vector<std::string>(4));
}

// Sampling, too, is a walk of all devices: they draw the same text.
TEST_F(SharedLayersTest, AllDevicesOfACopySampleTheSameText) {
    const RunSpec spec = specOf({.tensorParts = 2});
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

TEST_F(SharedLayersTest, SizesThatDoNotDivideAreRefusedWithTheirReason) {
    const auto reasons = [&](int64_t parts, const auto& change) {
        RunSpec spec = m_spec;
        change(spec.model);
        spec.parallel.tensorParallelSize = parts;
        try {
            assembleModel(spec, ModelUse::training, {.part = {.tensorParts = parts}});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using testing::HasSubstr;
    EXPECT_THAT(reasons(8, [](ModelConfig&) {}), HasSubstr("8 devices cannot share the 4 key and value heads"));
    EXPECT_THAT(reasons(3, [](ModelConfig&) {}), HasSubstr("3 devices cannot share the 8 attention heads"));
    EXPECT_THAT(reasons(4, [](ModelConfig& model) { model.feedForwardWidth = 66; }),
                HasSubstr("the 66 feed-forward columns"));
}

}  // namespace
}  // namespace unmask::test
