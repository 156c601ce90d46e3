// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/event_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "engine/base/crc32c.h"
#include "engine/base/durable_file.h"

namespace unmask {
namespace {

constexpr size_t kMaxWindow = size_t{64} << 20;  // a stretch without one good record is skipped beyond this
constexpr size_t kMaxDamages = 1000;
constexpr std::string_view kCrcKey = ",\"crc\":\"";
constexpr size_t kCrcTail = 18;  // ,"crc":"hhhhhhhh"}

bool takeLiteral(std::string_view& text, std::string_view literal) {
    if (!text.starts_with(literal))
        return false;
    text.remove_prefix(literal.size());
    return true;
}

bool takeInteger(std::string_view& text, int64_t& value) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || value < 1)
        return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
}

FileDescriptor openForReading(const std::filesystem::path& file, int64_t& size) {
    FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor.valid()) {
        if (errno == ENOENT)
            return descriptor;
        throw systemError("[journal] cannot open " + file.string(), errno);
    }
    struct stat info {};
    if (::fstat(descriptor.get(), &info) != 0)
        throw systemError("[journal] cannot look at " + file.string(), errno);
    if (!S_ISREG(info.st_mode))
        throw Error(ErrorCode::badInput, "[journal] " + file.string() + " is not a regular file");
    size = info.st_size;
    return descriptor;
}

std::string readAt(int descriptor, int64_t offset, size_t size, const std::filesystem::path& file) {
    std::string bytes(size, '\0');
    size_t have = 0;
    while (have < size) {
        const ssize_t got = ::pread(descriptor, bytes.data() + have, size - have,
                                    static_cast<off_t>(offset + static_cast<int64_t>(have)));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw systemError("[journal] cannot read " + file.string(), errno);
        if (got == 0)
            break;
        have += static_cast<size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

std::string seqRange(int64_t first, int64_t last) {
    return first == last ? "record " + std::to_string(first)
                         : "records " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

std::filesystem::path journalFile(const RunFolder& folder, int number) {
    return number <= 1 ? folder.eventsFile() : folder.path / ("events-" + std::to_string(number) + ".jsonl");
}

int lastJournalFileNumber(const RunFolder& folder) {
    int number = 1;
    std::error_code ignored;
    while (std::filesystem::exists(journalFile(folder, number + 1), ignored))
        ++number;
    return number;
}

std::optional<LineHead> readLineHead(std::string_view line) {
    if (line.size() < kCrcTail)
        return std::nullopt;
    const std::string_view body = line.substr(0, line.size() - kCrcTail);
    std::string_view tail = line.substr(line.size() - kCrcTail);
    if (!takeLiteral(tail, kCrcKey) || !tail.ends_with("\"}") || tail.substr(0, 8) != crc32cHex(body))
        return std::nullopt;
    LineHead head;
    std::string_view rest = body;
    if (!takeLiteral(rest, "{\"seq\":") || !takeInteger(rest, head.seq) || !takeLiteral(rest, ",\"attempt\":") ||
        !takeInteger(rest, head.attempt))
        return std::nullopt;
    return head;
}

EventReader::EventReader(const RunFolder& folder) : m_folder(folder) {}

void EventReader::report(int64_t line, int64_t offset, std::string reason) {
    if (m_damages.size() < kMaxDamages)
        m_damages.push_back({journalFile(m_folder, m_fileNumber).string(), line, offset, std::move(reason)});
}

// Decides whether a good line counts, and notes the numbers it leaves out.
bool EventReader::accept(const LineHead& head, int64_t lineNumber, int64_t lineOffset) {
    if (head.seq > m_lastSeq) {
        if (head.seq > m_lastSeq + 1) {
            m_missing.emplace_back(m_lastSeq + 1, head.seq - 1);
            report(lineNumber, lineOffset, seqRange(m_lastSeq + 1, head.seq - 1) + " missing before this line");
        }
        m_lastSeq = head.seq;
        m_lastAttempt = std::max(m_lastAttempt, head.attempt);
        return true;
    }
    if (head.attempt > m_lastAttempt) {  // a power cut took the numbers from here on; they are given out again
        std::erase_if(m_missing, [&](const auto& range) { return range.second >= head.seq; });
        m_lastSeq = head.seq;
        m_lastAttempt = head.attempt;
        return true;
    }
    for (auto& range : m_missing)
        if (head.seq >= range.first && head.seq <= range.second) {
            range.first = head.seq + 1;  // a continuation file repeats them in order
            return true;
        }
    return false;
}

// Returns how many bytes of the chunk end in a good record.
size_t EventReader::takeLines(std::string_view chunk, int64_t fromSeq, std::vector<Line>& lines) {
    size_t good = 0;
    size_t position = 0;
    int64_t lineNumber = m_line;
    int64_t firstBad = 0;  // line number of the first bad line since the last good one
    for (;;) {
        const size_t end = chunk.find('\n', position);
        if (end == std::string_view::npos)
            return good;
        const std::string_view line = chunk.substr(position, end - position);
        const int64_t offset = m_offset + static_cast<int64_t>(position);
        ++lineNumber;
        position = end + 1;
        const auto head = readLineHead(line);
        if (!head) {
            if (firstBad == 0 && !line.empty())  // an empty line is how a writer steps over its own broken one
                firstBad = lineNumber;
            continue;
        }
        if (firstBad != 0)
            report(firstBad, m_offset + static_cast<int64_t>(good),
                   firstBad == lineNumber - 1 ? "damaged line"
                                              : "damaged lines up to line " + std::to_string(lineNumber - 1));
        firstBad = 0;
        if (accept(*head, lineNumber, offset) && head->seq >= fromSeq)
            lines.push_back({head->seq, std::string(line)});
        good = position;
        m_line = lineNumber;
    }
}

// True when something good was read or the position moved.
bool EventReader::readChunk(int64_t fromSeq, size_t maxBytes, std::vector<Line>& lines) {
    std::error_code ignored;
    // Asked before reading: once the next file exists, nothing more is appended to this one.
    const bool hasNext = std::filesystem::exists(journalFile(m_folder, m_fileNumber + 1), ignored);
    const std::filesystem::path file = journalFile(m_folder, m_fileNumber);
    int64_t size = 0;
    const FileDescriptor descriptor = openForReading(file, size);
    if (descriptor.valid() && size > m_offset) {
        const auto left = static_cast<size_t>(size - m_offset);
        size_t window = std::min(left, std::max<size_t>(maxBytes, 4096));
        for (;;) {
            const std::string chunk = readAt(descriptor.get(), m_offset, window, file);
            const size_t good = takeLines(chunk, fromSeq, lines);
            m_offset += static_cast<int64_t>(good);
            if (good > 0)
                return true;
            if (chunk.size() < window || window == left)
                break;  // only a torn or damaged tail is left
            if (window >= kMaxWindow) {
                report(m_line + 1, m_offset, "no good record in " + std::to_string(window) + " bytes");
                m_offset += static_cast<int64_t>(window);
                return true;
            }
            window = std::min({window * 2, left, kMaxWindow});
        }
    }
    if (!hasNext)
        return false;
    ++m_fileNumber;
    m_offset = 0;
    m_line = 0;
    return true;
}

std::vector<EventReader::Line> EventReader::readLines(int64_t fromSeq, size_t maxBytes) {
    std::vector<Line> lines;
    while (lines.empty() && readChunk(fromSeq, maxBytes, lines)) {
    }
    return lines;
}

std::vector<EventRecord> EventReader::readRecords(int64_t fromSeq, size_t maxBytes) {
    std::vector<EventRecord> records;
    while (records.empty()) {
        const auto lines = readLines(fromSeq, maxBytes);
        if (lines.empty())
            break;
        records.reserve(lines.size());
        for (const Line& line : lines) {
            auto record = decodeRecord(line.bytes);
            if (record)
                records.push_back(std::move(record).orThrow());
            else
                report(m_line, m_offset, "record " + std::to_string(line.seq) + ": " + record.error().what());
        }
    }
    return records;
}

}  // namespace unmask
