// SPDX-License-Identifier: Apache-2.0
#include "engine/data/line_reader.h"

#include <gtest/gtest.h>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::TempFolder;

struct Read {
    std::vector<std::string> lines;
    std::vector<int64_t> offsets;
    std::vector<bool> tooLong;
    int64_t windows = 0;
    bool mark = false;
};

Read readAll(const std::filesystem::path& file, size_t cap = size_t{8} << 20) {
    SourceFile source(file);
    LineReader reader(source, cap);
    Read read;
    SourceLine line;
    while (reader.next(line)) {
        EXPECT_EQ(line.number, static_cast<int64_t>(read.lines.size()) + 1);
        read.lines.emplace_back(line.text);
        read.offsets.push_back(line.offset);
        read.tooLong.push_back(line.tooLong);
    }
    EXPECT_EQ(reader.lines(), static_cast<int64_t>(read.lines.size()));
    read.windows = reader.windowsLines();
    read.mark = reader.byteOrderMark();
    return read;
}

Read readText(std::string_view bytes, size_t cap = size_t{8} << 20) {
    const TempFolder folder;
    return readAll(folder.write("lines", bytes), cap);
}

using Lines = std::vector<std::string>;

TEST(LineReader, AllThreeEndingsAndNoneAtTheEnd) {
    EXPECT_EQ(readText("a\nb\r\nc\rd").lines, (Lines{"a", "b", "c", "d"}));
    EXPECT_EQ(readText("a\nb\r\nc\rd").windows, 1);
    EXPECT_EQ(readText("a\nb\r\nc\rd").offsets, (std::vector<int64_t>{0, 2, 5, 7}));
    EXPECT_EQ(readText("a\n").lines, (Lines{"a"}));
    EXPECT_EQ(readText("a\r\n").lines, (Lines{"a"}));
    EXPECT_EQ(readText("a\r").lines, (Lines{"a"}));
    EXPECT_EQ(readText("\n\r\n\r\r\nx").lines, (Lines{"", "", "", "", "x"}));
    EXPECT_EQ(readText("\n").lines, (Lines{""}));
}

TEST(LineReader, OtherUnicodeLineSeparatorsAreText) {
    EXPECT_EQ(readText("a\u2028b\u0085c\n").lines, (Lines{"a\u2028b\u0085c"}));
}

TEST(LineReader, ByteOrderMarkIsPassedOverAtTheStartOnly) {
    const Read read = readText("\xEF\xBB\xBFx\n\xEF\xBB\xBFy\n");
    EXPECT_EQ(read.lines, (Lines{"x", "\xEF\xBB\xBFy"}));
    EXPECT_TRUE(read.mark);
    EXPECT_EQ(read.offsets[0], 3);
    EXPECT_EQ(readText("\xEF\xBB\xBF").lines, Lines{});
}

TEST(LineReader, LinesAndEndingsAcrossBlocks) {
    constexpr size_t kBlock = size_t{1} << 20;
    for (size_t shift = 0; shift < 4; ++shift) {
        const std::string first(kBlock - 2 + shift, 'x');
        const std::string second(3 * kBlock + 5, 'y');
        const Read read = readText(first + "\r\n" + second + "\nz");
        ASSERT_EQ(read.lines.size(), 3u) << shift;
        EXPECT_TRUE(read.lines[0] == first && read.lines[1] == second) << shift;
        EXPECT_EQ(read.lines[2], "z");
        EXPECT_EQ(read.windows, 1);
        EXPECT_EQ(read.offsets[1], static_cast<int64_t>(first.size() + 2));
    }
}

TEST(LineReader, CapIsExactAndTheNextLineIsWhole) {
    const Read read = readText("12345\n123456\n12\n", 5);
    EXPECT_EQ(read.lines, (Lines{"12345", "", "12"}));
    EXPECT_EQ(read.tooLong, (std::vector<bool>{false, true, false}));
    const std::string huge(size_t{3} << 20, 'h');
    const Read crossing = readText(huge + "\nok", size_t{2} << 20);
    EXPECT_EQ(crossing.lines, (Lines{"", "ok"}));
    EXPECT_EQ(crossing.offsets[1], static_cast<int64_t>(huge.size()) + 1);
}

}  // namespace
}  // namespace unmask
