// SPDX-License-Identifier: Apache-2.0
#include "engine/data/line_reader.h"

#include <algorithm>

#include "engine/data/file_format.h"

namespace unmask {

bool LineReader::ensureBlock() {
    if (m_position < m_block.size())
        return true;
    m_block = m_source.nextBlock();
    m_position = m_nextLf = m_nextCr = 0;
    if (m_atStart && m_block.starts_with(kUtf8ByteOrderMark)) {
        m_position = kUtf8ByteOrderMark.size();
        m_byteOrderMark = true;
    }
    const bool onlyMark = m_atStart && m_position > 0 && m_position == m_block.size();
    m_atStart = false;
    return onlyMark ? ensureBlock() : !m_block.empty();
}

size_t LineReader::lineEnd() {
    const auto advance = [&](size_t& cached, char ending) {
        if (cached < m_position || (cached == 0 && m_position == 0))
            cached = std::min(m_block.find(ending, m_position), m_block.size());
    };
    advance(m_nextLf, '\n');
    advance(m_nextCr, '\r');
    return std::min(m_nextLf, m_nextCr);
}

void LineReader::takeEnding() {
    m_afterCr = m_block[m_position] == '\r';
    ++m_position;
    if (m_afterCr && m_position < m_block.size())
        skipLineFeed();
}

void LineReader::skipLineFeed() {
    m_afterCr = false;
    if (m_block[m_position] == '\n') {
        ++m_position;
        ++m_windowsLines;
    }
}

bool LineReader::next(SourceLine& line) {
    if (m_afterCr && ensureBlock())  // the CR was the last byte of a block
        skipLineFeed();
    m_afterCr = false;
    if (!ensureBlock())
        return false;
    line = {};
    line.number = ++m_lines;
    line.offset = m_source.blockOffset() + static_cast<int64_t>(m_position);
    m_joined.clear();
    while (true) {
        const size_t begin = m_position;
        const size_t end = lineEnd();
        const std::string_view part = m_block.substr(begin, end - begin);
        m_position = end;
        const bool complete = end < m_block.size();
        line.tooLong = line.tooLong || m_joined.size() + part.size() > m_maxLineBytes;
        if (line.tooLong)
            m_joined = {};
        else if (complete && m_joined.empty())
            line.text = part;
        else
            m_joined += part;
        if (complete) {
            takeEnding();
            break;
        }
        if (!ensureBlock())
            break;
    }
    if (line.tooLong)
        line.text = {};
    else if (!m_joined.empty())
        line.text = m_joined;
    return true;
}

}  // namespace unmask
