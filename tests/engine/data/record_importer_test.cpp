// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::import;
using test::Imported;
using test::messageOf;
using test::TempFolder;

std::string lines(int good, int bad) {
    std::string text;
    for (int i = 0; i < bad; ++i)
        text += "broken\n";
    for (int i = 0; i < good; ++i)
        text += "{\"text\":\"fine\"}\n";
    return text;
}

TEST(RecordImporter, BadLinesUpToTheLimitAreSkippedWhereverTheyStand) {
    const TempFolder folder;
    const Imported imported = import(importJsonLines, folder.write("a.jsonl", lines(990, 10)), {.badLineLimit = 0.01});
    EXPECT_EQ(imported.report.documents, 990) << "ten bad lines in front do not stop what is a share of 1 %";
    EXPECT_EQ(imported.report.badLines, 10);
    checkBadLineLimit(imported.report, 0.01);
    EXPECT_THROW(checkBadLineLimit(imported.report, 0.009), Error);
}

TEST(RecordImporter, AboveTheLimitTheMessageSaysWhichAndWhatToDo) {
    const TempFolder folder;
    const Imported imported = import(importJsonLines, folder.write("a.jsonl", lines(48, 2)));
    const std::string message = messageOf([&] { checkBadLineLimit(imported.report, 0.01); });
    EXPECT_NE(message.find("2 of 50 records (4 %)"), std::string::npos) << message;
    EXPECT_NE(message.find("(1 %)"), std::string::npos);
    EXPECT_NE(message.find("a.jsonl:1: not JSON"), std::string::npos);
    EXPECT_NE(message.find("data.bad_line_limit"), std::string::npos);
}

TEST(RecordImporter, AFileOfGarbageStopsBeforeItsEnd) {
    const TempFolder folder;
    const auto file = folder.write("a.jsonl", lines(0, 300000));
    test::MemorySink sink;
    ImportReport report;
    report.files.push_back({file.string()});
    SourceFile source(file);
    EXPECT_THROW(importJsonLines(source, {sink, report, 0, "", size_t{1} << 20, 0.01}), Error);
    EXPECT_LT(report.records, 30000);
}

TEST(RecordImporter, ALimitOfOneSkipsEverything) {
    const TempFolder folder;
    EXPECT_EQ(import(importJsonLines, folder.write("a.jsonl", lines(1, 99))).report.documents, 1);
}

}  // namespace
}  // namespace unmask
