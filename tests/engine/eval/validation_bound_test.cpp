// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/validation_bound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/data/prepare_store.h"
#include "engine/eval/chain_losses.h"
#include "engine/eval/model_input.h"
#include "engine/objective/registry.h"
#include "engine/tokenizer/byte_tokenizer.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

// 0 in every weight: all admitted ids are equally likely, whatever stands there.
class UniformModel : public testing::Test {
 protected:
    UniformModel() {
        std::string lines;
        for (int i = 0; i < 60; ++i)
            lines += "sentence number " + std::to_string(i * i) + " of this text\n";
        test::writeBytes(m_folder.path() / "text.txt", lines);
        DataConfig data;
        data.files = {(m_folder.path() / "text.txt").string()};
        const auto prepared = prepareStore(data, {}, {}, {.storesFolder = m_folder.path() / "stores"});
        m_store.emplace(TokenStore::open(prepared.path));
        m_index.emplace(*m_store, 16, 0.3);
    }
    static ModelConfig config() {
        ModelConfig model;
        model.layers = 1;
        model.width = 16;
        model.heads = 2;
        model.feedForwardWidth = 16;
        model.vocabularySize = 384;
        model.sequenceLength = 16;
        return model;
    }
    BoundEstimate bound(int64_t microRows, int64_t draws) {
        const Sampler sampler = Sampler::validation(*m_index, {.batchRows = 8, .maxSamples = 20});
        ValidationBound validation(sampler, makeObjective({}, NoiseKeys(1), ByteTokenizer::kMask),
                                   {.microRows = microRows, .paddingId = ByteTokenizer::kPadding, .draws = draws});
        return validation.run(m_runner);
    }

    test::TempFolder m_folder;
    std::optional<TokenStore> m_store;
    std::optional<SampleIndex> m_index;
    Transformer m_model{config(), at::kDouble, Gradients::none};
    ChainRunner m_runner{m_model,
                         {.rows = 8,
                          .length = 16,
                          .training = false,
                          .vocabulary = {.used = ByteTokenizer::kSize, .maskId = ByteTokenizer::kMask}}};
};

TEST_F(UniformModel, BoundIsTheLogOfTheNumberOfAdmittedIds) {
    const BoundEstimate estimate = bound(8, 1);
    EXPECT_NEAR(estimate.nats, std::log(258), 1e-12);
    EXPECT_GT(estimate.tokens, 20 * 8);
    EXPECT_NEAR(bound(8, 3).nats, std::log(258), 1e-12);
}

TEST_F(UniformModel, MicroBatchesDoNotChangeIt) {
    m_model.initialise(3);
    const double whole = bound(8, 2).nats;
    EXPECT_NE(whole, std::log(258));
    EXPECT_NEAR(bound(3, 2).nats, whole, 1e-12);
    EXPECT_EQ(bound(8, 2).nats, whole);
}

TEST_F(UniformModel, TextBoundOfTheUniformModel) {
    const ByteTokenizer tokenizer;
    const auto ids = tokenizer.encode("twelve bytes");
    EXPECT_NEAR(textBound(lossesOf(m_runner), ids, {.draws = 4, .maskToken = ByteTokenizer::kMask}), 12 * std::log(258),
                1e-9);
}

}  // namespace
}  // namespace unmask
