// SPDX-License-Identifier: Apache-2.0
// Every malformed header of the format's own list of attacks is refused with its reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/interop/safetensors.h"

namespace unmask {
namespace {
using testing::HasSubstr;

std::string fileOf(const std::string& header, const std::string& data, int64_t claimed = -1) {
    const uint64_t length = claimed < 0 ? header.size() : static_cast<uint64_t>(claimed);
    std::string bytes;
    for (int i = 0; i < 8; ++i)
        bytes += static_cast<char>(length >> (8 * i));
    return bytes + header + data;
}

std::string refusal(const std::string& bytes) {
    const auto header = parseSafetensorsHeader(bytes, bytes.size());
    return header ? "accepted" : header.error().what();
}

std::string one(const std::string& fields, size_t dataBytes) {
    return fileOf("{\"t\":{" + fields + "}}", std::string(dataBytes, 'x'));
}

TEST(Safetensors, soundHeadersAreAccepted) {
    EXPECT_EQ(refusal(fileOf("{}", "")), "accepted");
    EXPECT_EQ(refusal(fileOf("{}   ", "")), "accepted");
    EXPECT_EQ(refusal(one(R"("dtype":"F4","shape":[2,2],"data_offsets":[0,2])", 2)), "accepted");
    EXPECT_EQ(
        refusal(fileOf(
            R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
            "xx")),
        "accepted");
    EXPECT_EQ(
        refusal(fileOf(
            R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"b":{"dtype":"U8","shape":[0,9],"data_offsets":[0,0]}})",
            "")),
        "accepted");
}

TEST(Safetensors, malformedLengths) {
    EXPECT_THAT(refusal(""), HasSubstr("too short"));
    EXPECT_THAT(refusal(std::string(7, '\0')), HasSubstr("too short"));
    EXPECT_THAT(refusal(fileOf("", "")), HasSubstr("does not begin with {"));
    EXPECT_THAT(refusal(fileOf("{}", "", 100'000'001)), HasSubstr("more than 100000000"));
    EXPECT_THAT(refusal(fileOf("{}", "", 3)), HasSubstr("the file has 2"));
    EXPECT_THAT(refusal(std::string(8, '\xFF') + "{}"), HasSubstr("more than"));
    EXPECT_THAT(refusal(fileOf("{}", "", 1)), HasSubstr("not JSON"));
}

TEST(Safetensors, malformedHeaders) {
    EXPECT_THAT(refusal(fileOf(" {}", "")), HasSubstr("does not begin with {"));
    EXPECT_THAT(refusal(fileOf("{\"\xFF\":1}", "")), HasSubstr("not UTF-8 at byte 10"));
    EXPECT_THAT(refusal(fileOf("{nonsense}", "")), HasSubstr("not JSON"));
    EXPECT_THAT(refusal(fileOf("{}{}", "")), HasSubstr("not JSON"));
    EXPECT_THAT(refusal(fileOf(R"({"t":1})", "")), HasSubstr("exactly dtype"));
    EXPECT_THAT(refusal(fileOf(R"({"__metadata__":{"a":1}})", "")), HasSubstr("not a text"));
    EXPECT_THAT(refusal(fileOf(R"({"__metadata__":[]})", "")), HasSubstr("must be an object"));
    const std::string t = R"("t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
    EXPECT_THAT(refusal(fileOf("{" + t + "," + t + "}", "x")), HasSubstr("twice"));
    std::string deep = R"({"t":)";
    for (int i = 0; i < 100000; ++i)
        deep += '[';
    EXPECT_THAT(refusal(fileOf(deep, "")), HasSubstr("nested deeper"));
}

TEST(Safetensors, malformedTensors) {
    EXPECT_THAT(refusal(one(R"("dtype":"X8","shape":[1],"data_offsets":[0,1])", 1)), HasSubstr("unknown dtype"));
    EXPECT_THAT(refusal(one(R"("dtype":8,"shape":[1],"data_offsets":[0,1])", 1)), HasSubstr("unknown dtype"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])", 1)), HasSubstr("whole number"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[1.5],"data_offsets":[0,1])", 1)), HasSubstr("whole number"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":{},"data_offsets":[0,1])", 1)), HasSubstr("no proper shape"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[1],"data_offsets":[0])", 1)), HasSubstr("two data_offsets"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615])", 1)),
                HasSubstr("too large"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[1],"data_offsets":[1,0])", 1)), HasSubstr("was due"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[2],"data_offsets":[0,1])", 1)), HasSubstr("its shape needs 2"));
    EXPECT_THAT(refusal(one(R"("dtype":"F4","shape":[3],"data_offsets":[0,1])", 1)), HasSubstr("do not end on a byte"));
    EXPECT_THAT(refusal(one(R"("dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0])", 0)),
                HasSubstr("too large"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,0])", 0)),
                HasSubstr("too large"));
    EXPECT_THAT(refusal(one(R"("dtype":"U8","shape":[1],"data_offsets":[0,1],"more":1)", 1)), HasSubstr("exactly"));
}

TEST(Safetensors, holesOverlapsAndWrongSizes) {
    const auto two = [](const std::string& a, const std::string& b, size_t bytes) {
        return fileOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + a +
                          R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + b + "}}",
                      std::string(bytes, 'x'));
    };
    EXPECT_EQ(refusal(two("[0,2]", "[2,4]", 4)), "accepted");
    EXPECT_THAT(refusal(two("[0,2]", "[0,2]", 2)), HasSubstr("was due"));  // shared range: a memory bomb
    EXPECT_THAT(refusal(two("[0,2]", "[1,3]", 3)), HasSubstr("was due"));
    EXPECT_THAT(refusal(two("[0,2]", "[3,5]", 5)), HasSubstr("was due"));  // a hole hides bytes
    EXPECT_THAT(refusal(two("[1,3]", "[3,5]", 5)), HasSubstr("was due"));
    EXPECT_THAT(refusal(two("[0,2]", "[2,4]", 3)), HasSubstr("the file has 3"));  // truncated
    EXPECT_THAT(refusal(two("[0,2]", "[2,4]", 9)), HasSubstr("the file has 9"));  // something appended
}

}  // namespace
}  // namespace unmask
