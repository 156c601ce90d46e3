// SPDX-License-Identifier: Apache-2.0
#include "engine/objective/registry.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(ObjectiveRegistry, HasEveryKindOfTheSpecAndSaysWhetherItIsABound) {
    for (const auto& choice : Choices<ObjectiveKind>::list)
        EXPECT_NE(makeObjective({.kind = choice.value}, NoiseKeys(1), 258), nullptr) << choice.word;
    for (const ObjectiveEntry& entry : allObjectives())
        EXPECT_TRUE(entry.isBound) << wordOf(entry.kind);
}

}  // namespace
}  // namespace unmask
