// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::import;
using test::messageOf;
using test::TempFolder;

TEST(TextImporter, TheWholeFileIsOneDocumentAsItIs) {
    const TempFolder folder;
    const std::string text = "First line\r\nsecond\n\nGrüße 世界\nno ending";
    const test::Imported imported = import(importText, folder.write("a.txt", text));
    EXPECT_EQ(imported.documents, std::vector{text});
    EXPECT_EQ(imported.report.documents, 1);
    EXPECT_EQ(imported.report.files[0].lines, 5);
    EXPECT_EQ(imported.report.files[0].windowsLines, 1);
}

TEST(TextImporter, LargeTextCrossesBlocks) {
    const TempFolder folder;
    std::string text;
    while (text.size() < (size_t{2} << 20) + 100)
        text += "世界 and a line\r\n";
    const test::Imported imported = import(importText, folder.write("a.txt", text));
    ASSERT_EQ(imported.documents.size(), 1u);
    EXPECT_TRUE(imported.documents[0] == text);
    EXPECT_EQ(imported.report.files[0].lines, imported.report.files[0].windowsLines);
}

TEST(TextImporter, ByteOrderMarkIsRemovedAndReported) {
    const TempFolder folder;
    const test::Imported imported = import(importText, folder.write("a.txt", "\xEF\xBB\xBFtext"));
    EXPECT_EQ(imported.documents, std::vector<std::string>{"text"});
    EXPECT_TRUE(imported.report.files[0].byteOrderMark);
    const auto onlyMark = folder.write("b.txt", "\xEF\xBB\xBF");
    EXPECT_NE(messageOf([&] { import(importText, onlyMark); }).find("byte order mark"), std::string::npos);
}

TEST(TextImporter, BadBytesAreNamedWithOffsetAndLine) {
    const TempFolder folder;
    const auto refusal = [&](std::string_view bytes) {
        const auto file = folder.write("a.txt", bytes);
        return messageOf([&] { import(importText, file); });
    };
    using namespace std::string_view_literals;
    const std::string latin = refusal("one\ntwo caf\xE9 three");
    EXPECT_NE(latin.find("0xE9 at byte offset 11 (line 2)"), std::string::npos) << latin;
    EXPECT_NE(latin.find("iconv"), std::string::npos);
    EXPECT_NE(refusal("\xEF\xBB\xBF\ncaf\xE9"sv).find("offset 7 (line 2)"), std::string::npos) << "mark counted";
    EXPECT_NE(refusal("a\0b"sv).find("NUL byte at byte offset 1"), std::string::npos);
    EXPECT_NE(refusal("cut \xE4\xB8"sv).find("offset 4"), std::string::npos);
    const std::string far = std::string((size_t{1} << 20) - 1, 'x') + "\xE4(";  // begins in one block, ends in the next
    EXPECT_NE(refusal(far).find("0xE4 at byte offset 1048575 "), std::string::npos) << refusal(far);
}

TEST(TextImporter, ABeginningThatIsNoTextIsRefusedBeforeTheRestIsRead) {
    const TempFolder folder;
    const auto refusal = [&](std::string_view bytes, size_t looked) {
        SourceFile source(folder.write("a.txt", bytes));
        return messageOf([&] { refuseBadBeginning(source, source.peek(looked)); });
    };
    using namespace std::string_view_literals;
    EXPECT_NE(refusal("one\ntwo caf\xE9 three", 100).find("0xE9 at byte offset 11 (line 2)"), std::string::npos);
    EXPECT_NE(refusal("\0\0\0"sv, 2).find("NUL byte at byte offset 0 (line 1)"), std::string::npos);
    EXPECT_EQ(refusal("Gr\xC3\xBC\xC3\x9F", 3), "") << "the cut character goes on";
}

}  // namespace
}  // namespace unmask
