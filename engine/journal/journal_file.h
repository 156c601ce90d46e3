// SPDX-License-Identifier: Apache-2.0
// One journal file under the writer: knows where its own good bytes end and never leaves half a line behind them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"

namespace unmask {

class JournalFile {
 public:
    JournalFile() = default;
    // Opens or makes the file; bytes beyond `goodEnd` are copied to events.torn-<offset> beside it and cut off.
    static JournalFile openAt(const std::filesystem::path& file, int64_t goodEnd);
    // A new file with these bytes, already durable. Throws Error(disk), and leaves no file, when that fails.
    static JournalFile create(const std::filesystem::path& file, std::string_view bytes);

    bool write(std::string_view bytes);  // all or nothing; false when the disk refuses, the reason is kept
    void sync();                         // throws Error(disk)
    void cutBack(size_t bytes);          // best effort: drops the last `bytes` again
    bool hasForeignBytes() const;
    void adoptForeignBytes();  // goes on behind them, on a fresh line
    int descriptor() const { return m_descriptor.get(); }
    std::string describe() const { return m_path.string(); }
    Error fullError(size_t bytesWaiting) const;
    bool isFull() const;  // the last write failed for want of space

    static bool syncDescriptor(int descriptor);  // never tried twice: see EventWriter

 private:
    void cutTornTail(int64_t goodEnd);
    int64_t size() const;

    std::filesystem::path m_path;
    FileDescriptor m_descriptor;
    int64_t m_end = 0;            // where the next line goes
    bool m_needsNewline = false;  // broken bytes stand before m_end
    int m_lastErrno = 0;
};

}  // namespace unmask
