// SPDX-License-Identifier: Apache-2.0
#include "engine/data/utf8_checker.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/base/text.h"

namespace unmask {
namespace {

std::optional<int64_t> check(std::string_view bytes, size_t pieceBytes) {
    Utf8Checker checker;
    for (size_t at = 0; at < bytes.size(); at += pieceBytes)
        if (const auto bad = checker.feed(bytes.substr(at, pieceBytes)))
            return bad;
    return checker.finish();
}

TEST(Utf8Checker, ValidTextPassesInPiecesOfAnySize) {
    const std::string text = "plain ascii longer than one word, é 世界 😀 \xEE\x80\x80 \xF4\x8F\xBF\xBF";
    for (size_t pieceBytes = 1; pieceBytes <= text.size(); ++pieceBytes)
        EXPECT_FALSE(check(text, pieceBytes)) << pieceBytes;
}

TEST(Utf8Checker, NamesTheFirstByteOfTheBadSequence) {
    const std::string before = "0123456789 世";
    for (const char* bad : {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xC3(", "\xE4\xB8(", "\xE4\xB8"})
        for (size_t pieceBytes : {1u, 2u, 3u, 7u, 100u}) {
            const auto found = check(before + bad, pieceBytes);
            ASSERT_TRUE(found) << bad;
            EXPECT_EQ(*found, static_cast<int64_t>(before.size())) << pieceBytes;
        }
}

TEST(Utf8Checker, NulIsFoundAtEveryPlaceOfAWord) {
    for (size_t at = 0; at < 20; ++at) {
        std::string text(20, 'x');
        text[at] = '\0';
        EXPECT_EQ(check(text, 100), std::optional(static_cast<int64_t>(at)));
    }
}

TEST(Utf8Checker, AgreesWithTheShelfOnRandomBytes) {
    std::mt19937 random(3);
    for (int round = 0; round < 3000; ++round) {
        std::string bytes;
        while (bytes.size() < 12)
            bytes += static_cast<char>(random() % 3 == 0 ? 0xC0 + random() % 64 : 1 + random() % 0xBF);
        const auto expected = firstInvalidUtf8(bytes);
        const auto found = check(bytes, 1 + random() % 13);
        ASSERT_EQ(found.has_value(), expected.has_value());
        if (found) {
            ASSERT_EQ(*found, static_cast<int64_t>(*expected));
        }
    }
}

}  // namespace
}  // namespace unmask
