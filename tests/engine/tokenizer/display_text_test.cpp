// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/display_text.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/base/text.h"

namespace unmask {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

std::string shownByteByByte(const std::string& bytes) {
    const auto tokenizer = makeTokenizer({});
    DisplayDecoder decoder(*tokenizer);
    std::string shown;
    for (const int32_t id : tokenizer->encode(bytes)) {
        const std::string part = decoder.push(std::vector{id});
        EXPECT_FALSE(firstInvalidUtf8(part)) << "each part can be shown as it is";
        shown += part;
    }
    return shown + decoder.finish();
}

TEST(DisplayText, CharactersThatArriveByteByByteAreShownWhole) {
    const std::string text = "a é 世 😀 z";
    EXPECT_EQ(shownByteByByte(text), text);
}

TEST(DisplayText, WhatCannotBecomeACharacterIsReplacedAtOnce) {
    EXPECT_EQ(shownByteByByte("a\xFFz"), "a" + kReplacement + "z");
    EXPECT_EQ(shownByteByByte("\xC0\x80"), kReplacement + kReplacement);
    EXPECT_EQ(shownByteByByte("\xED\xA0\x80"), kReplacement + kReplacement + kReplacement);  // a surrogate
    const auto tokenizer = makeTokenizer({});
    DisplayDecoder decoder(*tokenizer);
    EXPECT_EQ(decoder.push(std::vector<int32_t>{0xFF}), kReplacement) << "no later byte could mend it";
    EXPECT_EQ(decoder.push(std::vector<int32_t>{0xE4}), "") << "may still become a character";
    EXPECT_EQ(decoder.finish(), kReplacement);
    EXPECT_EQ(decoder.finish(), "");
}

TEST(DisplayText, AnyBytesGiveValidTextAndPiecesDoNotMatter) {
    std::mt19937 random(7);
    const auto tokenizer = makeTokenizer({});
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (int i = 0; i < 40; ++i)
            bytes.push_back(static_cast<char>(random() % 2 ? random() % 256 : 0xE0 + random() % 32));
        const std::string whole = displayText(*tokenizer, tokenizer->encode(bytes));
        EXPECT_FALSE(firstInvalidUtf8(whole));
        EXPECT_EQ(shownByteByByte(bytes), whole);
    }
}

TEST(DisplayText, MasksAreShownAndKeepTheirNeighboursApart) {
    const auto tokenizer = makeTokenizer({});
    const std::vector<int32_t> ids{'a', 258, 'b', 256, 257};
    EXPECT_EQ(displayText(*tokenizer, ids, "▒"), "a▒b");
    EXPECT_EQ(displayText(*tokenizer, ids), "ab");
    const std::vector<int32_t> split{0xC3, 258, 0xA9};  // é with a mask in its middle
    EXPECT_EQ(displayText(*tokenizer, split, "_"), kReplacement + "_" + kReplacement);
}

}  // namespace
}  // namespace unmask
