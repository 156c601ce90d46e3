// SPDX-License-Identifier: Apache-2.0
#include "engine/base/crc32c.h"

#include <gtest/gtest.h>

using namespace unmask;

// Check values of RFC 3720, appendix B.4.
TEST(Crc32c, MatchesPublishedValues) {
    EXPECT_EQ(crc32c(""), 0u);
    EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
    EXPECT_EQ(crc32cHex("123456789"), "e3069283");
}

TEST(Crc32c, SeesEverySingleBit) {
    const std::string text = "the quick brown fox jumps over 13 lazy dogs";
    const uint32_t whole = crc32c(text);
    for (size_t i = 0; i < text.size() * 8; ++i) {
        std::string damaged = text;
        damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
        EXPECT_NE(crc32c(damaged), whole);
    }
}
