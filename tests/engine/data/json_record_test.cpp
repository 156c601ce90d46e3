// SPDX-License-Identifier: Apache-2.0
#include "engine/data/json_record.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

std::string textOf(std::string_view record, const std::string& field = "") {
    std::string text;
    const auto fault = JsonRecordParser(field).parse(record, text);
    return fault ? "FAULT " + std::string(badLineReasonWord(fault->reason)) : text;
}

RecordFault faultOf(std::string_view record, const std::string& field = "") {
    std::string text;
    const auto fault = JsonRecordParser(field).parse(record, text);
    EXPECT_TRUE(fault) << record;
    return fault.value_or(RecordFault{});
}

TEST(JsonRecord, TheNamedFieldThenTextThenContentThenAllTextFields) {
    EXPECT_EQ(textOf(R"({"title":"T","body":"B","text":"X"})", "body"), "B");
    EXPECT_EQ(textOf(R"({"title":"T","content":"C","text":"X"})"), "X");
    EXPECT_EQ(textOf(R"({"title":"T","content":"C"})"), "C");
    EXPECT_EQ(textOf(R"({"instruction":"I","input":"N","output":"O"})"), "I\n\nN\n\nO");
    EXPECT_EQ(textOf(R"({"instruction":"I","input":"","output":"O"})"), "I\n\nO") << "no blank lines for what is empty";
    EXPECT_EQ(textOf(R"({"z":"1","id":7,"a":"2","deep":{"text":"no"},"list":["no"],"ok":true})"), "1\n\n2");
}

TEST(JsonRecord, EscapesBecomeCharacters) {
    EXPECT_EQ(textOf(R"({"text":"a\n\"\\\u00e9\u4e16\ud83d\ude00"})"), "a\n\"\\é世😀");
}

TEST(JsonRecord, MissingAndOtherTypesHaveTheirReasons) {
    EXPECT_EQ(textOf(R"({"a":"x"})", "text2"), "FAULT missing_field");
    EXPECT_EQ(textOf(R"({"text":null,"url":"x"})"), "FAULT field_not_text") << "the address is not the text";
    EXPECT_EQ(textOf(R"({"body":["x"]})", "body"), "FAULT field_not_text");
    EXPECT_EQ(textOf(R"({"a":1})"), "FAULT no_text_field");
    EXPECT_EQ(textOf("{}"), "FAULT no_text_field");
    EXPECT_EQ(textOf(R"({"text":""})"), "FAULT empty_text");
    EXPECT_EQ(textOf(R"({"a":"","b":""})"), "FAULT empty_text");
}

TEST(JsonRecord, WhatIsNoObject) {
    for (const char* record : {"[]", "[{\"text\":\"x\"}]", "\"x\"", "12", "null", "true"})
        EXPECT_EQ(textOf(record), "FAULT not_an_object") << record;
}

TEST(JsonRecord, SeveralValuesAreRejectedWithTheirPlace) {
    const RecordFault fault = faultOf(R"({"a":"x"}{"a":"y"})");
    EXPECT_EQ(fault.reason, BadLineReason::severalValues);
    EXPECT_EQ(fault.offset, 9);
    EXPECT_EQ(textOf(R"({"text":"x"} trailing)"), "FAULT not_json");
}

TEST(JsonRecord, NumbersOutOfReach) {
    EXPECT_EQ(textOf(R"({"text":"x","n":1e400})"), "FAULT number_out_of_range");
    EXPECT_EQ(textOf(R"({"text":"x","n":123456789012345678901234567890})"), "FAULT number_out_of_range");
    EXPECT_EQ(textOf(R"({"text":"x","n":-123456789012345678901234567890})"), "FAULT number_out_of_range");
    EXPECT_EQ(textOf(R"({"text":"x","n":18446744073709551615,"m":-9223372036854775808,"d":1.5e300})"), "x");
    for (const char* word : {"NaN", "Infinity", "-Infinity", "nan"})
        EXPECT_EQ(textOf(std::string(R"({"text":"x","n":)") + word + "}"), "FAULT not_a_number") << word;
}

TEST(JsonRecord, DuplicateKeysAtAnyLevelAndAmongMany) {
    EXPECT_EQ(textOf(R"({"text":"x","text":"y"})"), "FAULT duplicate_key");
    EXPECT_EQ(textOf(R"({"text":"x","deep":{"a":1,"a":2}})"), "FAULT duplicate_key");
    EXPECT_EQ(textOf(R"({"text":"x","list":[{"a":1},{"a":2}]})"), "x") << "each object has its own keys";
    std::string many = "{\"text\":\"x\"";
    for (int i = 0; i < 200; ++i)
        many += ",\"k" + std::to_string(i) + "\":0";
    EXPECT_EQ(textOf(many + "}"), "x");
    EXPECT_EQ(textOf(many + ",\"k3\":0}"), "FAULT duplicate_key");
    EXPECT_EQ(textOf(many + ",\"k150\":0}"), "FAULT duplicate_key");
}

TEST(JsonRecord, DepthIsCappedWithoutRecursion) {
    const auto nested = [](int depth) {
        return "{\"text\":\"x\",\"d\":" + std::string(static_cast<size_t>(depth), '[') +
               std::string(static_cast<size_t>(depth), ']') + "}";
    };
    EXPECT_EQ(textOf(nested(kDataJsonDepth - 1)), "x");
    EXPECT_EQ(textOf(nested(kDataJsonDepth)), "FAULT too_deep");
    EXPECT_EQ(textOf(nested(100000)), "FAULT too_deep");
    EXPECT_EQ(textOf("{\"text\":\"x\",\"d\":" + std::string(100000, '[')), "FAULT too_deep") << "and unclosed";
}

TEST(JsonRecord, BrokenTextHasItsByte) {
    using namespace std::string_view_literals;
    const RecordFault latin = faultOf("{\"text\":\"caf\xE9\"}");
    EXPECT_EQ(latin.reason, BadLineReason::invalidUtf8);
    EXPECT_EQ(latin.offset, 12);
    EXPECT_EQ(latin.detail, "0xE9");
    EXPECT_EQ(textOf("{\"text\":\"\xC0\x80\"}"), "FAULT invalid_utf8");
    EXPECT_EQ(textOf("{\"text\":\"a\0b\"}"sv), "FAULT nul_byte");
    EXPECT_EQ(textOf("{\"text\":\"x\"}\0{"sv), "FAULT nul_byte") << "not the end of the input";
    EXPECT_EQ(textOf(R"({"text":"a\u0000b"})"), "FAULT nul_byte");
    EXPECT_EQ(textOf(R"({"text":"\ud800"})"), "FAULT lone_surrogate");
    EXPECT_EQ(textOf(R"({"text":"\udc00 x"})"), "FAULT lone_surrogate");
}

TEST(JsonRecord, SyntaxErrorsHaveAPlaceAndAReasonWithoutTheLine) {
    const RecordFault fault = faultOf(R"({"text": oops})");
    EXPECT_EQ(fault.reason, BadLineReason::notJson);
    EXPECT_NEAR(static_cast<double>(fault.offset), 9, 1);
    EXPECT_EQ(fault.detail.find("last read"), std::string::npos);
    EXPECT_FALSE(fault.detail.empty());
    for (const char* record :
         {"{", "{\"text\"", "{\"text\":}", "{\"text\":\"x\",}", "{'text':'x'}", "{\"text\":\"a\tb\"}"})
        EXPECT_EQ(textOf(record), "FAULT not_json") << record;
}

}  // namespace
}  // namespace unmask
