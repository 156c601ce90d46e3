// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/chain_denoiser.h"

#include <gtest/gtest.h>

#include <cmath>

namespace unmask {
namespace {

TEST(ChainDenoiser, GivesTheModelsLogitsOfTheChosenPositions) {
    ModelConfig config;
    config.layers = 2;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 32;
    config.vocabularySize = 128;
    Transformer model(config, at::kDouble, Gradients::none);
    model.initialise(7);
    ChainRunner runner(model, {.rows = 1, .length = 24, .training = false, .vocabulary = {.used = 100, .maskId = 99}});
    const Denoiser denoiser = denoiserOf(runner);
    std::vector<int32_t> tokens(24);
    for (size_t i = 0; i < tokens.size(); ++i)
        tokens[i] = static_cast<int32_t>(i * 5 % 90);
    const std::vector<int32_t> two{3, 17}, one{17};
    const auto both = denoiser(tokens, two);
    const auto alone = denoiser(tokens, one);
    ASSERT_EQ(both.size(), 2u * 128u);
    for (size_t v = 0; v < 128; ++v) {
        EXPECT_EQ(std::isinf(both[v]), v >= 99) << v;  // MASK and the spare rows
        if (v < 99) {
            EXPECT_NEAR(both[128 + v], alone[v], 1e-6) << v;  // what else is asked for changes nothing
        }
    }
    // A shorter sequence than planned, as the prompt of a short text.
    EXPECT_EQ(denoiser(std::span(tokens).first(5), std::vector<int32_t>{2}).size(), 128u);
}

}  // namespace
}  // namespace unmask
