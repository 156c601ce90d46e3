// SPDX-License-Identifier: Apache-2.0
// Names and room.
#include "engine/checkpoint/checkpoint_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {
using testing::HasSubstr;

TEST(CheckpointFolder, aFullVolumeIsSaidInWords) {
    try {
        requireFreeSpace("/tmp", uint64_t{1} << 60);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::disk);
        EXPECT_THAT(error.what(), HasSubstr("for a checkpoint; the volume of /tmp has"));
    }
}

TEST(CheckpointFolder, namesAreMatchedWhole) {
    EXPECT_EQ(stepOfFolder("step-10"), 10);
    for (const auto* name :
         {"step-", "step-01", "step--1", "step-1.tmp", "step-1 ", "xstep-1", "step-99999999999999999999"})
        EXPECT_FALSE(stepOfFolder(name).has_value()) << name;
}

}  // namespace
}  // namespace unmask
