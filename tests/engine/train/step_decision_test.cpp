// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step_decision.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(StepDecision, NothingToDoIsSaidWithoutAByte) {
    EXPECT_EQ(toText({}), "");
    EXPECT_EQ(stepDecisionFrom(""), StepDecision{});
}

TEST(StepDecision, ComesBackAsItWas) {
    const StepDecision decision{.evaluate = true,
                                .sample = true,
                                .save = true,
                                .stop = true,
                                .saveFirst = false,
                                .paused = true,
                                .exitCode = 130,
                                .reason = "ended by Ctrl-C (SIGINT), \"quoted\"",
                                .settings = {{"training.steps", "900"}, {"optimizer.learning_rate", "0.001"}}};
    EXPECT_EQ(stepDecisionFrom(toText(decision)), decision);
}

TEST(StepDecision, WhatNobodySendsIsAnErrorOfCommunication) {
    for (const std::string text : {"{", "[]", "{\"evaluate\":1}", "{\"evaluate\":true}"})
        try {
            stepDecisionFrom(text);
            FAIL() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::communication);
        }
}

}  // namespace
}  // namespace unmask
