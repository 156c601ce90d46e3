// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/planner/hardware.h"
#include "tests/engine/planner/sample_specs.h"

namespace unmask {
namespace {

TEST(Hardware, DescriptionMakesARoundTrip) {
    Hardware hardware = twoCores();
    hardware.processor = "Test CPU";
    hardware.gpus.push_back({"GPU A", 24e9, std::nullopt});
    EXPECT_EQ(hardwareFromJson(hardwareToJson(hardware)).value(), hardware);
    EXPECT_EQ(hardwareFromJson(hardwareToJson(Hardware{})).value(), Hardware{});
    EXPECT_FALSE(hardwareFromJson(Json::parse(R"({"cores":"two"})")).ok());
    EXPECT_FALSE(hardwareFromJson(Json::parse("[]")).ok());
}

}  // namespace
}  // namespace unmask
