// SPDX-License-Identifier: Apache-2.0
// A JSON array: an element is a document. The file is never held as a whole: a scanner that knows strings and brackets
// cuts it into elements, and each is then parsed strictly on its own, so that a bad one costs itself only.
#include <algorithm>

#include "engine/base/error.h"
#include "engine/data/file_format.h"
#include "engine/data/importer.h"

namespace unmask {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class ArrayScanner {
 public:
    ArrayScanner(const SourceFile& source, const ImportTarget& target)
        : m_source(source), m_target(target), m_importer(source, target), m_maxElementBytes(target.maxRecordBytes) {}

    void feed(std::string_view block, int64_t blockOffset);
    void finish();
    int64_t lines() const { return m_line; }

 private:
    enum class State { beforeArray, beforeElement, inElement, afterElement, ended, passedEnd };

    size_t betweenElements(std::string_view block, size_t at);
    size_t insideElement(std::string_view block, size_t at);
    size_t stringRun(std::string_view block, size_t at) const;
    bool closes(char c);
    void keep(std::string_view part);
    void endElement(char closer);
    void brokenElement();
    void complain(BadLineReason reason, const char* detail) {
        m_importer.fault({reason, 0, detail}, {}, m_line, m_offset);
    }

    const SourceFile& m_source;
    const ImportTarget& m_target;
    RecordImporter m_importer;
    size_t m_maxElementBytes;
    State m_state = State::beforeArray;
    int64_t m_line = 1;    // of the place being read
    int64_t m_offset = 0;  // of the place being read
    std::string m_element;
    int64_t m_elementLine = 0;
    int64_t m_elementOffset = 0;
    int64_t m_elementBytes = 0;
    int64_t m_depth = 0;
    bool m_inString = false;
    bool m_escaped = false;
    char m_opener = 0;         // its first character
    bool m_container = false;  // the element is an object or array, which its last bracket ends
    bool m_commaSeen = false;
};

void ArrayScanner::feed(std::string_view block, int64_t blockOffset) {
    for (size_t at = 0; at < block.size();) {
        m_offset = blockOffset + static_cast<int64_t>(at);
        at = m_state == State::inElement ? insideElement(block, at) : betweenElements(block, at);
    }
    m_offset = blockOffset + static_cast<int64_t>(block.size());
}

size_t ArrayScanner::betweenElements(std::string_view block, size_t at) {
    const char c = block[at];
    m_line += c == '\n' ? 1 : 0;
    if (isBlank(c) || m_state == State::passedEnd)
        return at + 1;
    if (m_state == State::beforeArray) {
        if (c != '[')
            throw Error{ErrorCode::badInput,
                        "[data] " + m_source.path().string() + " is not a JSON array: it does not begin with ["};
        m_state = State::beforeElement;
    } else if (m_state == State::ended) {
        complain(BadLineReason::severalValues, "something follows the array");
        m_state = State::passedEnd;
    } else if (c == ']') {
        if (m_commaSeen)
            complain(BadLineReason::notJson, "a comma before the closing bracket");
        m_state = State::ended;
    } else if (c == ',') {
        if (m_state == State::beforeElement)
            complain(BadLineReason::notJson, "a comma without an element before it");
        m_commaSeen = true;
        m_state = State::beforeElement;
    } else {
        if (m_state == State::afterElement)
            complain(BadLineReason::notJson, "a comma is missing before this element");
        m_state = State::inElement;
        m_commaSeen = false;
        m_element.clear();
        m_elementLine = m_line;
        m_elementOffset = m_offset;
        m_elementBytes = 0;
        m_depth = 0;
        m_opener = c;
        m_container = c == '{' || c == '[';
        return at;
    }
    return at + 1;
}

// End of the run of characters that cannot end a string or begin an escape.
size_t ArrayScanner::stringRun(std::string_view block, size_t at) const {
    return std::min(block.find_first_of("\"\\", at), block.size());
}

size_t ArrayScanner::insideElement(std::string_view block, size_t at) {
    const size_t begin = at;
    bool done = false;
    while (at < block.size() && !done) {
        if (m_inString && !m_escaped) {
            at = stringRun(block, at);
            if (at == block.size())
                break;
        }
        const char c = block[at];
        if (m_inString) {
            m_inString = m_escaped || c != '"';
            m_escaped = !m_escaped && c == '\\';
            ++at;
            done = !m_inString && m_depth == 0 && !m_container;
        } else if (!m_container && (c == ',' || c == ']' || isBlank(c))) {
            break;  // a bare word or number has no end of its own
        } else {
            ++at;
            done = closes(c);
        }
    }
    const bool bareEnd = !done && at < block.size();
    const std::string_view part = block.substr(begin, at - begin);
    m_line += std::count(part.begin(), part.end(), '\n');
    keep(part);
    if (done || bareEnd)
        endElement(done ? block[at - 1] : '\0');
    return at;
}

// Follows brackets and quotes outside strings; true when the element is complete.
bool ArrayScanner::closes(char c) {
    if (c == '"')
        m_inString = true;
    else if (c == '{' || c == '[')
        ++m_depth;
    else if (c == '}' || c == ']')
        --m_depth;
    return m_container && m_depth == 0;
}

void ArrayScanner::keep(std::string_view part) {
    m_elementBytes += static_cast<int64_t>(part.size());
    if (m_elementBytes <= static_cast<int64_t>(m_maxElementBytes))
        m_element += part;
    else
        m_element = {};
}

void ArrayScanner::endElement(char closer) {
    m_state = State::afterElement;
    if (m_container && closer != (m_opener == '{' ? '}' : ']')) {
        brokenElement();
        if (closer == ']')  // it closed the array from inside an unfinished element
            m_state = State::ended;
    } else if (m_elementBytes > static_cast<int64_t>(m_maxElementBytes)) {
        m_importer.tooLong(m_elementLine, m_elementOffset);
    } else {
        m_importer.record(m_element, m_elementLine, m_elementOffset);
    }
}

// A lost bracket or quote swallows all that follows. It is one bad element, but how much of the file?
void ArrayScanner::brokenElement() {
    const double lost = static_cast<double>(m_elementBytes) / static_cast<double>(m_source.size());
    if (lost > m_target.badLineLimit)
        throw Error{ErrorCode::badInput,
                    "[data] " + m_source.path().string() + " is damaged: the element that begins at line " +
                        std::to_string(m_elementLine) + " (byte " + std::to_string(m_elementOffset) +
                        ") has no end. A bracket or quote is missing, or the file is cut off."};
    m_importer.fault({BadLineReason::notJson, 0, "this element has no end"}, {}, m_elementLine, m_elementOffset);
}

void ArrayScanner::finish() {
    m_offset = m_source.size();
    if (m_state == State::inElement)
        brokenElement();
    else if (m_state != State::ended && m_state != State::passedEnd)
        complain(BadLineReason::notJson, "the array is not closed");
}

}  // namespace

void importJsonArray(SourceFile& source, const ImportTarget& target) {
    ArrayScanner scanner(source, target);
    ImportedFile& entry = target.entry();
    for (std::string_view block = source.nextBlock(); !block.empty(); block = source.nextBlock()) {
        int64_t offset = source.blockOffset();
        if (offset == 0 && block.starts_with(kUtf8ByteOrderMark)) {
            entry.byteOrderMark = true;
            block.remove_prefix(kUtf8ByteOrderMark.size());
            offset += static_cast<int64_t>(kUtf8ByteOrderMark.size());
        }
        scanner.feed(block, offset);
    }
    scanner.finish();
    entry.lines = scanner.lines();
}

}  // namespace unmask
