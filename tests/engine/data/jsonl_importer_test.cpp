// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::import;
using test::Imported;
using test::TempFolder;
using Documents = std::vector<std::string>;

int64_t peakMemoryKilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stoll(line.substr(6));
    return 0;
}

TEST(JsonlImporter, ALineIsADocument) {
    const TempFolder folder;
    const Imported imported =
        import(importJsonLines,
               folder.write("a.jsonl", "{\"text\":\"one\"}\r\n\n  \n{\"text\":\"two\"}\r{\"text\":\"three\"}"));
    EXPECT_EQ(imported.documents, (Documents{"one", "two", "three"}));
    EXPECT_EQ(imported.report.files[0].lines, 5);
    EXPECT_EQ(imported.report.files[0].blankLines, 2);
    EXPECT_EQ(imported.report.files[0].windowsLines, 1);
    EXPECT_EQ(imported.report.records, 3);
}

TEST(JsonlImporter, BadLinesCostThemselvesAndAreNamedByPhysicalLineAndOffset) {
    const TempFolder folder;
    const std::string good = "{\"text\":\"good\"}\n";
    const std::string content = good + "\n" + "{\"text\":\"caf\xE9\"}\n" + good + "{\"text\":\"x\"}{\"text\":\"y\"}\n" +
                                "{\"text\":\"x\",\"n\":NaN}\n" + "[1]\n" + good + "{\"text\":\"x\",\"text\":\"y\"}\n";
    const Imported imported = import(importJsonLines, folder.write("a.jsonl", content));
    EXPECT_EQ(imported.documents, (Documents{"good", "good", "good"}));
    ASSERT_EQ(imported.report.kept.size(), 5u);
    EXPECT_EQ(imported.bad(0).line, 3);
    EXPECT_EQ(imported.bad(0).reason, BadLineReason::invalidUtf8);
    EXPECT_EQ(imported.bad(0).offset, static_cast<int64_t>(content.find('\xE9')));
    EXPECT_EQ(imported.bad(1).line, 5);
    EXPECT_EQ(imported.bad(1).reason, BadLineReason::severalValues);
    EXPECT_EQ(imported.bad(1).detail, "at column 13");
    EXPECT_EQ(imported.bad(2).reason, BadLineReason::notANumber);
    EXPECT_EQ(imported.bad(3).reason, BadLineReason::notAnObject);
    EXPECT_EQ(imported.bad(4).line, 9);
    EXPECT_EQ(imported.bad(4).reason, BadLineReason::duplicateKey);
    EXPECT_EQ(imported.report.badLines, 5);
    EXPECT_EQ(imported.report.records, 8);
}

TEST(JsonlImporter, AnEndlessLineIsPassedOverInConstantMemory) {
    const TempFolder folder;
    const std::filesystem::path file = folder.write("a.jsonl", "{\"text\":\"before\"}\n{\"text\":\"");
    constexpr int64_t kLine = int64_t{128} << 20;  // a hole: nothing is written to the disk
    std::filesystem::resize_file(file, std::filesystem::file_size(file) + kLine);
    std::ofstream(file, std::ios::app) << "\"}\n{\"text\":\"after\"}\n";
    const int64_t before = peakMemoryKilobytes();
    const Imported imported = import(importJsonLines, file, {.maxRecordBytes = size_t{1} << 20});
    EXPECT_EQ(imported.documents, (Documents{"before", "after"}));
    ASSERT_EQ(imported.report.kept.size(), 1u);
    EXPECT_EQ(imported.bad().reason, BadLineReason::tooLong);
    EXPECT_EQ(imported.bad().line, 2);
    EXPECT_LT(peakMemoryKilobytes() - before, 32 << 10);
}

TEST(JsonlImporter, ALineOfManyBlocksIsJoined) {
    const TempFolder folder;
    const std::string text(size_t{5} << 20, 'x');
    const Imported imported = import(importJsonLines, folder.write("a.jsonl", "{\"text\":\"" + text + "\"}\n"));
    ASSERT_EQ(imported.documents.size(), 1u);
    EXPECT_TRUE(imported.documents[0] == text);
}

}  // namespace
}  // namespace unmask
