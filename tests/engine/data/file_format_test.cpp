// SPDX-License-Identifier: Apache-2.0
#include "engine/data/file_format.h"

#include <gtest/gtest.h>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::messageOf;

TEST(FileFormat, ContentAndNameDecide) {
    const auto is = [](const char* name, std::string_view content) { return recogniseFormat(name, content); };
    EXPECT_EQ(is("a.txt", "Once upon a time"), DataFormat::text);
    EXPECT_EQ(is("a.txt", "{\"text\":\"x\"}\n"), DataFormat::text) << "called text by its owner";
    EXPECT_EQ(is("corpus", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n"), DataFormat::jsonl);
    EXPECT_EQ(is("corpus", "\xEF\xBB\xBF{\"text\":\"x\"}\r\n"), DataFormat::jsonl);
    EXPECT_EQ(is("corpus", "[Music plays]\nHello"), DataFormat::text);
    EXPECT_EQ(is("corpus", "[\n  {\"text\": \"x\"}\n]"), DataFormat::json);
    EXPECT_EQ(is("corpus", "{ not json }\n"), DataFormat::text);
    EXPECT_EQ(is("a.jsonl", "garbage\n{\"text\":\"x\"}\n"), DataFormat::jsonl) << "its bad lines are then named";
    EXPECT_EQ(is("a.JSON", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n"), DataFormat::jsonl);
    EXPECT_EQ(is("a.json", "  [ 1, 2 ]"), DataFormat::json);
    EXPECT_EQ(is("a.json", "["), DataFormat::json);
    EXPECT_EQ(is("book", ""), DataFormat::text);
}

TEST(FileFormat, ForeignEncodingsAreNamedWithTheirRemedy) {
    const auto refusal = [](std::string_view bytes) {
        return messageOf([&] { refuseForeignEncodings("data.txt", bytes); });
    };
    using namespace std::string_view_literals;
    EXPECT_NE(refusal("\xFF\xFEh\0i\0"sv).find("iconv -f UTF-16"), std::string::npos);
    EXPECT_NE(refusal("\xFE\xFF\0h\0i"sv).find("UTF-16"), std::string::npos);
    EXPECT_NE(refusal("\xFF\xFE\0\0h\0\0\0"sv).find("UTF-32"), std::string::npos);
    EXPECT_NE(refusal("h\0e\0l\0l\0o\0 \0y\0o\0u\0"sv).find("UTF-16LE"), std::string::npos);
    EXPECT_NE(refusal("\0h\0e\0l\0l\0o\0 \0y\0o\0u"sv).find("UTF-16BE"), std::string::npos);
    EXPECT_NE(refusal("\x1F\x8B\x08rest"sv).find("gzip"), std::string::npos);
    EXPECT_NE(refusal("PK\x03\x04rest"sv).find("ZIP"), std::string::npos);
    EXPECT_NE(refusal("PAR1rest"sv).find("Parquet"), std::string::npos);
    EXPECT_EQ(refusal("\xEF\xBB\xBFHello"sv), "");
    EXPECT_EQ(refusal("Hello"sv), "");
    EXPECT_EQ(refusal("世界"sv), "");
}

TEST(FileFormat, ACutFirstLineStillLooksLikeJsonLines) {
    EXPECT_TRUE(looksLikeJsonLines("{\"text\":\"" + std::string(1000, 'x')));
    EXPECT_TRUE(looksLikeJsonLines("\n\n {\"a\":1}\n"));
    EXPECT_FALSE(looksLikeJsonLines("{{template}} text"));
    EXPECT_FALSE(looksLikeJsonLines("{\"a\":1} and prose\nmore"));
    EXPECT_FALSE(looksLikeJsonLines(""));
}

}  // namespace
}  // namespace unmask
