// SPDX-License-Identifier: Apache-2.0
// Physical lines of a source: ended by LF, CR LF or CR, the last one also by the end. Lines over the cap are passed
// over without being held in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/data/source_file.h"

namespace unmask {

struct SourceLine {
    std::string_view text;  // without its ending; empty when too long. Valid until the next line is read
    int64_t number = 0;     // from 1
    int64_t offset = 0;     // of its first byte in the file
    bool tooLong = false;
};

class LineReader {
 public:
    LineReader(SourceFile& source, size_t maxLineBytes) : m_source(source), m_maxLineBytes(maxLineBytes) {}

    bool next(SourceLine& line);
    int64_t lines() const { return m_lines; }
    int64_t windowsLines() const { return m_windowsLines; }  // those that end in CR LF
    bool byteOrderMark() const { return m_byteOrderMark; }   // found at the start and passed over

 private:
    bool ensureBlock();
    size_t lineEnd();  // position of the next ending in the block, or its size
    void takeEnding();
    void skipLineFeed();

    SourceFile& m_source;
    size_t m_maxLineBytes;
    std::string_view m_block;
    size_t m_position = 0;
    size_t m_nextLf = 0, m_nextCr = 0;  // positions in the block, found once
    bool m_atStart = true;
    bool m_afterCr = false;
    std::string m_joined;  // a line that crosses blocks
    int64_t m_lines = 0;
    int64_t m_windowsLines = 0;
    bool m_byteOrderMark = false;
};

}  // namespace unmask
