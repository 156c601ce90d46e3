// SPDX-License-Identifier: Apache-2.0
// What is written is read back; what leads out of the folder or comes from the future is refused.
#include "engine/checkpoint/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {
using testing::HasSubstr;

TEST(Manifest, roundTripAndWhatIsRefused) {
    Manifest manifest;
    manifest.runId = "r";
    manifest.step = 12;
    manifest.files = {{"a.safetensors", 5, std::string(64, 'a'), {{"t", "F32", {1, 2}, std::string(64, 'b')}}}};
    manifest.counters = {{"x", 0.1}};
    const auto back = decodeManifest(encodeManifest(manifest));
    ASSERT_TRUE(back.ok()) << back.error().what();
    EXPECT_EQ(back.value(), manifest);
    manifest.files[0].name = "../a";
    EXPECT_FALSE(decodeManifest(encodeManifest(manifest)).ok());
    manifest.files[0].name = "a";
    manifest.version = 2;
    const auto newer = decodeManifest(encodeManifest(manifest));
    ASSERT_FALSE(newer.ok());
    EXPECT_THAT(newer.error().what(), HasSubstr("newer than this program"));
}

}  // namespace
}  // namespace unmask
