// SPDX-License-Identifier: Apache-2.0
#include "ui/client/bridge_lines.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

TEST(BridgeLines, HelloStateAndAnswer) {
    const auto hello = decodeBridgeLine(
        R"({"bridge":"hello","protocol":1,"code_version":"0.1.0","id":"run","word":"running","evidence":"it lives","seq":7})");
    ASSERT_TRUE(hello);
    EXPECT_EQ(std::get<BridgeHello>(hello.value()).runId, QStringLiteral("run"));
    EXPECT_EQ(std::get<BridgeHello>(hello.value()).status.seq, 7);
    const auto state = decodeBridgeLine(
        R"({"bridge":"state","word":"stalled","evidence":"?","phase":"saving","step":5,"total_steps":9,"attempt":2,"seq":8,"durable_seq":6})");
    ASSERT_TRUE(state);
    const auto& status = std::get<RunStatus>(state.value());
    EXPECT_EQ(status.word, RunWord::stalled);
    EXPECT_EQ(status.phase, "saving");
    EXPECT_EQ(status.totalSteps, 9);
    EXPECT_EQ(status.durableSeq, 6);
    const auto answer = decodeBridgeLine(R"({"bridge":"answer","id":"c1","accepted":false,"detail":"not running"})");
    ASSERT_TRUE(answer);
    EXPECT_EQ(std::get<BridgeAnswer>(answer.value()).detail, QStringLiteral("not running"));
}

TEST(BridgeLines, ForeignLinesAreErrorsAndWrongTypesDoNotThrow) {
    EXPECT_FALSE(decodeBridgeLine(R"({"bridge":"song"})"));
    EXPECT_FALSE(decodeBridgeLine("{"));
    EXPECT_FALSE(decodeBridgeLine("[1]"));
    const auto odd = decodeBridgeLine(R"({"bridge":"state","word":7,"step":"many","evidence":null})");
    ASSERT_TRUE(odd);
    EXPECT_EQ(std::get<RunStatus>(odd.value()).step, 0);
}

}  // namespace
}  // namespace unmask::ui
