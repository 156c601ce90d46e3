// SPDX-License-Identifier: Apache-2.0
#include "engine/base/places.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace unmask;

TEST(Places, EnvironmentWins) {
    ::setenv("UNMASK_RUNS", "/tmp/läufe", 1);
    EXPECT_EQ(runsFolder(), "/tmp/läufe");
    ::unsetenv("UNMASK_RUNS");
    ::setenv("HOME", "/home/somebody", 1);
    EXPECT_EQ(runsFolder(), "/home/somebody/unmask/runs");
    ::setenv("XDG_DATA_HOME", "/data", 1);
    EXPECT_EQ(dataHome(), "/data/unmask");
    ::unsetenv("XDG_DATA_HOME");
    EXPECT_EQ(dataHome(), "/home/somebody/.local/share/unmask");
}

TEST(Places, KnowsItsOwnFolder) {
    EXPECT_TRUE(std::filesystem::exists(executableFolder() / "engine_base_test"));
}
