// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/byte_tokenizer.h"

#include <gtest/gtest.h>

#include <numeric>

#include "engine/tokenizer/tokenizer.h"

namespace unmask {
namespace {

TEST(ByteTokenizer, EveryByteComesBack) {
    std::string all(256, '\0');
    std::iota(all.begin(), all.end(), '\0');
    const auto tokenizer = makeTokenizer({});
    const std::vector<int32_t> ids = tokenizer->encode(all);
    ASSERT_EQ(ids.size(), 256u);
    for (int i = 0; i < 256; ++i)
        EXPECT_EQ(ids[static_cast<size_t>(i)], i);
    EXPECT_EQ(tokenizer->decode(ids), all);
}

TEST(ByteTokenizer, SpecialTokensAreTheAgreedNumbersAndDecodeToNothing) {
    const auto tokenizer = makeTokenizer({});
    EXPECT_EQ(tokenizer->endOfDocument(), 256);
    EXPECT_EQ(tokenizer->padding(), 257);
    EXPECT_EQ(tokenizer->mask(), 258);
    EXPECT_EQ(tokenizer->vocabularySize(), 259);
    EXPECT_EQ(tokenizer->roundedVocabularySize(), 384);
    const std::vector<int32_t> ids{'a', 256, 257, 258, 259, 383, -1, 100000, 'b'};
    EXPECT_EQ(tokenizer->decode(ids), "ab");
}

TEST(ByteTokenizer, TextMayBeEncodedInPieces) {
    const ByteTokenizer tokenizer;
    const std::string text = "Grüße, 世界";
    std::vector<int32_t> ids;
    tokenizer.encodeTo(text.substr(0, 3), ids);
    tokenizer.encodeTo(text.substr(3), ids);
    EXPECT_EQ(ids, tokenizer.encode(text));
    EXPECT_EQ(tokenizer.safeCut(text), text.size());
}

TEST(ByteTokenizer, HashIsFixed) {
    // Stores in people's caches are found by it.
    EXPECT_EQ(ByteTokenizer().hash(), makeTokenizer({})->hash());
    EXPECT_EQ(ByteTokenizer().hash(), "e602789fcd33d8f504083191ea174657263f86649738f366abe6acf966fa2ed7");
}

}  // namespace
}  // namespace unmask
