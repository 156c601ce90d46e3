// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/presets.h"

#include <gtest/gtest.h>

#include "engine/protocol/spec_json.h"

using namespace unmask;

TEST(Presets, AllCanStart) {
    ASSERT_EQ(allPresets().size(), 4u);
    for (const auto& preset : allPresets())
        EXPECT_FALSE(hasErrors(checkSpec(preset.spec))) << preset.name;
}

TEST(Presets, HaveTheArchitecturesPeopleExpect) {
    const auto shape = [](std::string_view name) {
        const auto model = presetSpec(name).orThrow().model;
        return std::array{model.layers, model.width, model.heads, model.feedForwardWidth};
    };
    EXPECT_EQ(shape("first-steps"), (std::array<int64_t, 4>{4, 128, 4, 320}));
    EXPECT_EQ(shape("light"), (std::array<int64_t, 4>{6, 512, 8, 1408}));
    EXPECT_EQ(shape("base"), (std::array<int64_t, 4>{12, 768, 12, 2048}));
    EXPECT_EQ(shape("enhanced"), (std::array<int64_t, 4>{24, 1024, 16, 2816}));
    EXPECT_EQ(presetSpec("enhanced").orThrow().optimizer.learningRate, 1e-4);
    EXPECT_EQ(presetSpec("light").orThrow().optimizer.learningRate, 3e-4);
}

TEST(Presets, AMisspeltNameIsSuggested) {
    EXPECT_NE(std::string(presetSpec("enhansed").error().what()).find("Did you mean enhanced?"), std::string::npos);
}
