// SPDX-License-Identifier: Apache-2.0
#include "engine/data/import_report.h"

#include <gtest/gtest.h>

#include <set>

namespace unmask {
namespace {

ImportReport sample() {
    ImportReport report;
    report.files.push_back({"/data/chat.jsonl", "jsonl", "ab", 10, 3, 7, 1, 2, true});
    report.documents = 3;
    report.tokens = 30;
    report.bytes = 10;
    report.textBytes = 27;
    report.records = 5;
    report.notes = {"a note"};
    report.addBadLine({0, 7, 123, BadLineReason::duplicateKey, "\"text\""});
    report.addBadLine({0, 8, 150, BadLineReason::emptyText, ""});
    return report;
}

TEST(ImportReport, ComesBackFromJson) {
    const ImportReport report = sample();
    const Result<ImportReport> again = importReportFromJson(toJson(report));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value(), report);
    EXPECT_FALSE(importReportFromJson(Json{{"documents", 1}}).ok());
    EXPECT_FALSE(importReportFromJson(Json::array()).ok());
}

TEST(ImportReport, EmptyTextsAreCountedButNoFault) {
    const ImportReport report = sample();
    EXPECT_EQ(report.badLines, 1);
    EXPECT_DOUBLE_EQ(report.badShare(), 0.2);
    EXPECT_EQ(report.kept.size(), 1u);
    EXPECT_EQ(toJson(report)["reasons"], (Json{{"duplicate_key", 1}, {"empty_text", 1}}));
}

TEST(ImportReport, KeepsAHundredAndCountsAll) {
    ImportReport report;
    for (int i = 0; i < 1000; ++i)
        report.addBadLine({0, i, 0, BadLineReason::notJson, ""});
    EXPECT_EQ(report.kept.size(), ImportReport::kKeptBadLines);
    EXPECT_EQ(report.badLines, 1000);
}

TEST(ImportReport, ALineIsDescribedWithFileLineReasonAndOffset) {
    const ImportReport report = sample();
    EXPECT_EQ(report.describe(report.kept[0]), "chat.jsonl:7: a key appears twice: \"text\" (byte offset 123)");
}

TEST(ImportReport, ReasonsHaveDistinctWords) {
    std::set<std::string_view> words;
    for (size_t i = 0; i < kBadLineReasons; ++i)
        words.insert(badLineReasonWord(static_cast<BadLineReason>(i)));
    EXPECT_EQ(words.size(), kBadLineReasons);
}

}  // namespace
}  // namespace unmask
