// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/commands.h"

#include <gtest/gtest.h>

using namespace unmask;

TEST(Commands, EveryKindMakesARoundTrip) {
    for (const CommandKind kind : {CommandKind::pause, CommandKind::resume, CommandKind::checkpoint, CommandKind::stop,
                                   CommandKind::sample, CommandKind::set}) {
        Command command{.id = "a-1", .kind = kind};
        if (kind == CommandKind::stop)
            command.saveFirst = false;
        if (kind == CommandKind::set) {
            command.setting = "training.steps";
            command.value = 900;
        }
        EXPECT_EQ(decodeCommand(encodeCommand(command)).orThrow(), command);
    }
}

TEST(Commands, RefusesHostileLines) {
    for (const std::string& line :
         {std::string(R"({"command":"stop"})"), std::string(R"({"id":"a b","command":"stop"})"),
          std::string(R"({"id":"a","command":"rm"})"), std::string(R"({"id":"a","command":"set"})"), std::string("[]"),
          std::string(R"({"id":"a","command":"stop","checkpoint":1})"), std::string("stop"),
          R"({"id":"a","command":")" + std::string(70000, 'x') + "\"}"})
        EXPECT_FALSE(decodeCommand(line).ok()) << line.substr(0, 60);
}

TEST(Commands, IdsAreFresh) {
    EXPECT_NE(newCommandId(), newCommandId());
}
