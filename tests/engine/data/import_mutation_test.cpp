// SPDX-License-Identifier: Apache-2.0
// Records and files damaged at random: the importers must agree with the strict parser of the shelf on what is JSON,
// and must end, whatever they are given. Seeded, so a failure comes back.
#include <gtest/gtest.h>

#include <random>

#include "engine/base/text.h"
#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::import;
using test::TempFolder;

constexpr std::string_view kPieces[] = {
    "{",     "}",    "[",     "]",       ",",        ":",    "\"", "\\", "\"a\"",   "null", "NaN",
    "1e400", "-0.5", "\\u00", "\\ud83d", "\xC3\xA9", "\xFF", "\n", "\r", "{\"x\":", "true", "1234567890123456789012"};

class Mutator {
 public:
    explicit Mutator(uint32_t seed) : m_random(seed) {}

    std::string operator()(std::string text) {
        for (uint32_t count = m_random() % 4; count > 0 && !text.empty(); --count) {
            const size_t at = m_random() % text.size();
            switch (m_random() % 4) {
                case 0:
                    text.erase(at, 1 + m_random() % 5);
                    break;
                case 1:
                    text.insert(at, kPieces[m_random() % std::size(kPieces)]);
                    break;
                case 2:
                    text[at] = static_cast<char>(m_random() % 256);
                    break;
                default:
                    text.insert(at, text.substr(m_random() % text.size(), m_random() % 20));
            }
        }
        return text;
    }
    uint32_t random() { return static_cast<uint32_t>(m_random()); }

 private:
    std::mt19937 m_random;
};

const std::string kRecords[] = {
    R"({"text":"plain words"})",
    R"({"id":7,"text":"é 世 \u00e9 \ud83d\ude00","tags":["a",{"b":null}],"score":-1.5e3})",
    R"({"instruction":"say \"hi\"","input":"","output":"hi\\"})",
    R"({"content":"{[not]} structure, \\\"","deep":{"x":{"y":[[],{}]}}})",
};

bool isPlainObject(std::string_view record) {
    if (record.find('\0') != std::string_view::npos || firstInvalidUtf8(record))
        return false;
    const Result<Json> value = parseJson(record, kDataJsonDepth);
    return value.ok() && value.value().is_object();
}

bool isAboutContent(BadLineReason reason) {
    return reason == BadLineReason::missingField || reason == BadLineReason::fieldNotText ||
           reason == BadLineReason::noTextField || reason == BadLineReason::emptyText ||
           reason == BadLineReason::nulByte;
}

TEST(ImportMutation, ARecordIsJsonHereExactlyWhenTheShelfSaysSo) {
    Mutator mutate(1);
    int accepted = 0, rejected = 0;
    for (int round = 0; round < 20000; ++round) {
        const std::string record = mutate(kRecords[mutate.random() % std::size(kRecords)]);
        std::string text;
        const auto fault = JsonRecordParser("").parse(record, text);
        const bool taken = !fault || isAboutContent(fault->reason);
        if (record.find('\0') != std::string::npos)
            continue;
        ASSERT_EQ(taken, isPlainObject(record)) << record;
        if (fault)
            ASSERT_LE(fault->offset, static_cast<int64_t>(record.size()));
        else
            ASSERT_FALSE(firstInvalidUtf8(text)) << "what enters training is valid";
        ++(taken ? accepted : rejected);
    }
    EXPECT_GT(accepted, 2000);
    EXPECT_GT(rejected, 2000);
}

TEST(ImportMutation, WholeArraysGiveTheDocumentsOfTheirElements) {
    Mutator mutate(2);
    const TempFolder folder;
    int checked = 0;
    for (int round = 0; round < 1500; ++round) {
        std::string content = "[";
        for (uint32_t i = 0, count = mutate.random() % 4; i <= count; ++i)
            content += (i > 0 ? " ,\n" : "") + kRecords[mutate.random() % std::size(kRecords)];
        content = mutate(content + "]");
        const size_t first = content.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || content[first] != '[')
            continue;
        const test::Imported imported = import(importJsonArray, folder.write(std::to_string(round), content));
        const Result<Json> whole = parseJson(content, kDataJsonDepth);
        if (!whole.ok() || firstInvalidUtf8(content) || content.find('\0') != std::string::npos)
            continue;
        std::vector<std::string> expected;
        for (const Json& element : whole.value()) {
            std::string text;
            if (!JsonRecordParser("").parse(element.dump(), text))
                expected.push_back(text);
        }
        ASSERT_EQ(imported.documents, expected) << content;
        ++checked;
    }
    EXPECT_GT(checked, 300);
}

TEST(ImportMutation, LinesNeverInfluenceTheirNeighbours) {
    Mutator mutate(3);
    const TempFolder folder;
    for (int round = 0; round < 1500; ++round) {
        std::string damaged = mutate(kRecords[mutate.random() % std::size(kRecords)]);
        std::erase_if(damaged, [](char c) { return c == '\n' || c == '\r'; });
        const test::Imported imported = import(
            importJsonLines,
            folder.write(std::to_string(round), "{\"text\":\"before\"}\n" + damaged + "\n{\"text\":\"after\"}\n"));
        ASSERT_GE(imported.documents.size(), 2u);
        ASSERT_EQ(imported.documents.front(), "before") << damaged;
        ASSERT_EQ(imported.documents.back(), "after") << damaged;
        for (const BadLine& bad : imported.report.kept)
            ASSERT_EQ(bad.line, 2);
    }
}

}  // namespace
}  // namespace unmask
