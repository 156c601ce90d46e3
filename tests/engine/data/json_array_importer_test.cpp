// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::import;
using test::Imported;
using test::messageOf;
using test::TempFolder;
using Documents = std::vector<std::string>;

Imported importArray(std::string_view content, const test::ImportSettings& settings = {}) {
    const TempFolder folder;
    return import(importJsonArray, folder.write("a.json", content), settings);
}

TEST(JsonArrayImporter, AnElementIsADocument) {
    const Imported imported = importArray(
        "\xEF\xBB\xBF [ {\"text\":\"one\"},\r\n{\"text\": \"]}, \\\" [{\" ,\"x\":[1,[2,{\"y\":\"}\"}]]} , "
        "{\"instruction\":\"I\",\"input\":\"\",\"output\":\"O\"}\n]\n");
    EXPECT_EQ(imported.documents, (Documents{"one", "]}, \" [{", "I\n\nO"}));
    EXPECT_EQ(imported.report.badLines, 0);
    EXPECT_TRUE(imported.report.files[0].byteOrderMark);
    EXPECT_EQ(importArray("[]").documents, Documents{});
}

TEST(JsonArrayImporter, EscapesAtTheEndOfStrings) {
    EXPECT_EQ(importArray(R"([{"text":"a\\"},{"text":"b\\\""}])").documents, (Documents{"a\\", "b\\\""}));
}

TEST(JsonArrayImporter, BadElementsCostThemselves) {
    const std::string content =
        "[\n{\"text\":\"good\"},\n{\"text\":\n \"x\", \"n\": NaN},\n12, \"words, and ] brackets\", null,\n"
        "{\"text\":\"x\" \"text\":\"y\"},\n{\"text\":\"last\"}\n]";
    const Imported imported = importArray(content);
    EXPECT_EQ(imported.documents, (Documents{"good", "last"}));
    ASSERT_EQ(imported.report.kept.size(), 5u);
    EXPECT_EQ(imported.bad(0).reason, BadLineReason::notANumber);
    EXPECT_EQ(imported.bad(0).line, 4) << "the physical line of the trouble, not of the element";
    EXPECT_EQ(
        content.substr(static_cast<size_t>(imported.bad(0).offset) - 2, 3).find_first_of("Na") != std::string::npos,
        true);
    for (size_t i : {1u, 2u, 3u}) {
        EXPECT_EQ(imported.bad(i).reason, BadLineReason::notAnObject);
        EXPECT_EQ(imported.bad(i).line, 5);
    }
    EXPECT_EQ(imported.bad(4).line, 6);
}

TEST(JsonArrayImporter, FaultsBetweenElementsAreCounted) {
    EXPECT_EQ(importArray(R"([{"text":"a"} {"text":"b"}])").report.badLines, 1);
    EXPECT_EQ(importArray(R"([{"text":"a"} {"text":"b"}])").documents, (Documents{"a", "b"}));
    EXPECT_EQ(importArray(R"([{"text":"a"},])").report.badLines, 1);
    EXPECT_EQ(importArray(R"([,{"text":"a"}])").report.badLines, 1);
    EXPECT_EQ(importArray(R"([{"text":"a"},,{"text":"b"}])").report.badLines, 1);
    EXPECT_EQ(importArray(R"([{"text":"a"}] and [more])").report.badLines, 1);
    EXPECT_EQ(importArray(R"([{"text":"a"})").report.badLines, 1);
}

TEST(JsonArrayImporter, ALostBracketThatSwallowsTheRestIsAnError) {
    std::string content = "[{\"text\":\"a\"},\n{\"text\":\"b\",\n";
    for (int i = 0; i < 1000; ++i)
        content += "{\"text\":\"c\"},\n";
    const std::string message = messageOf([&] { importArray(content + "{\"text\":\"d\"}]", {.badLineLimit = 0.01}); });
    EXPECT_NE(message.find("begins at line 2"), std::string::npos) << message;
    EXPECT_NE(message.find("damaged"), std::string::npos);
}

TEST(JsonArrayImporter, DeepAndLongElementsAreRejectedInConstantMemory) {
    const std::string deep(100000, '[');
    const Imported nested = importArray("[" + deep + std::string(100000, ']') + ",{\"text\":\"ok\"}]");
    EXPECT_EQ(nested.documents, Documents{"ok"});
    EXPECT_EQ(nested.bad().reason, BadLineReason::notAnObject);
    const Imported keyed = importArray("[{\"d\":" + deep + std::string(100000, ']') + "},{\"text\":\"ok\"}]");
    EXPECT_EQ(keyed.bad().reason, BadLineReason::tooDeep);
    const Imported longer = importArray("[{\"text\":\"" + std::string(3 << 20, 'x') + "\"},{\"text\":\"ok\"}]",
                                        {.maxRecordBytes = 1 << 20});
    EXPECT_EQ(longer.documents, Documents{"ok"});
    EXPECT_EQ(longer.bad().reason, BadLineReason::tooLong);
}

// Blocks of the reader are 1 MiB, so elements are laid across their seams at random.
TEST(JsonArrayImporter, SeamsBetweenBlocksDoNotMatter) {
    std::mt19937 random(11);
    std::string content = "[";
    Documents expected;
    while (content.size() < size_t{4} << 20) {
        expected.emplace_back(random() % 60000, static_cast<char>('a' + random() % 26));
        expected.back() += "\\";
        content += (expected.size() > 1 ? "," : "") + std::string("{\"text\":\"") + expected.back() + "\\\"}";
    }
    EXPECT_TRUE(importArray(content + "]").documents == expected);
}

TEST(JsonArrayImporter, AnotherBeginningIsRefused) {
    EXPECT_NE(messageOf([] { importArray("{\"text\":\"x\"}"); }).find("does not begin with ["), std::string::npos);
}

}  // namespace
}  // namespace unmask
