// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace unmask;

TEST(StrictJson, ReadsOrdinaryValuesInOrder) {
    const Json json = parseJson(R"({"z":[1,2.5,{"a":null}],"b":"ü","a":true})").orThrow();
    EXPECT_EQ(dumpLine(json), R"({"z":[1,2.5,{"a":null}],"b":"ü","a":true})");
}

TEST(StrictJson, RefusesWhatOthersLetThrough) {
    const std::string deep(100, '[');
    for (const std::string& text :
         {std::string(R"({"a":1,"a":2})"), std::string("123456789012345678901234567890"), std::string("1e400"),
          std::string("NaN"), std::string("[1,]"), std::string("{} {}"), std::string(""), std::string("\"\xC0\xAF\""),
          std::string(R"("\ud800")"), deep + std::string(100, ']'), std::string(100000, '[')})
        EXPECT_FALSE(parseJson(text).ok()) << text.substr(0, 40);
}

TEST(StrictJson, SaysWhereAndWhy) {
    EXPECT_NE(std::string(parseJson(R"({"a":1,"a":2})").error().what()).find("\"a\" stands twice"), std::string::npos);
    EXPECT_NE(std::string(parseJson("{\"a\":}").error().what()).find("at byte 6"), std::string::npos);
    EXPECT_NE(std::string(parseJson(std::string(80, '[')).error().what()).find("deeper than 64"), std::string::npos);
}

TEST(StrictJson, SaysItWithoutTheWordsOfItsLibrary) {
    EXPECT_STREQ(parseJson("good").error().what(), "[json] at byte 1: invalid literal");
    for (const char* text : {"", "{\"a\"", "1e400", "[1 2]"})
        EXPECT_EQ(std::string(parseJson(text).error().what()).find("json.exception"), std::string::npos) << text;
}

TEST(StrictJson, DeepestAllowedNestingIsAccepted) {
    EXPECT_TRUE(parseJson(std::string(64, '[') + std::string(64, ']')).ok());
}

TEST(StrictJson, NonFiniteNumbersTravelAsWords) {
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        const double back = numberFromJson(parseJson(dumpLine(numberToJson(value))).orThrow()).orThrow();
        EXPECT_TRUE(std::isnan(value) ? std::isnan(back) : back == value);
    }
    EXPECT_FALSE(numberFromJson(Json("nan")).ok());
    EXPECT_FALSE(numberFromJson(Json(nullptr)).ok());
}

TEST(StrictJson, DumpNeverThrowsOnAStrayByte) {
    EXPECT_EQ(dumpLine(Json("a\xFF")), "\"a\xEF\xBF\xBD\"");
}
