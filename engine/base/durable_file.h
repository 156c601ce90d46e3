// SPDX-License-Identifier: Apache-2.0
// The one way small files reach the disk. QSaveFile and plain streams do not sync the folder; this does.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace unmask {

enum class Durability { news, durable };  // news: atomic replacement without fsync; durable: file and folder are synced

// Writes beside the target under a fresh name, then renames over it. Throws Error(disk) with volume and bytes needed
// when the volume is full; the old file is then untouched.
void replaceFile(const std::filesystem::path& file, std::string_view bytes, Durability durability, int mode = 0644);

// Creates a file that must not exist yet (O_EXCL | O_NOFOLLOW), all bytes, fdatasync, folder fsync.
void createFile(const std::filesystem::path& file, std::string_view bytes, int mode = 0644);

// Whole small file; regular files only (no FIFO, device or folder), refused above `limitBytes`.
std::string readWholeFile(const std::filesystem::path& file, size_t limitBytes = size_t{64} << 20);

// Loops over short writes and EINTR. Throws Error on failure; `what` names the file in the message.
void writeAll(int descriptor, std::string_view bytes, std::string_view what);
void syncFolder(const std::filesystem::path& folder);
// "volume /data has 12.3 MiB free": for messages about full disks.
std::string describeFreeSpace(const std::filesystem::path& place);
// systemError for something done to `place`; says how much space is free when that is what was missing.
[[nodiscard]] Error fileError(std::string_view message, const std::filesystem::path& place, int errnoValue);

// Owns a descriptor; closes it at the end of its life.
class FileDescriptor {
 public:
    FileDescriptor() = default;
    explicit FileDescriptor(int descriptor) : m_descriptor(descriptor) {}
    ~FileDescriptor();
    FileDescriptor(FileDescriptor&& other) noexcept : m_descriptor(other.release()) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    int get() const { return m_descriptor; }
    bool valid() const { return m_descriptor >= 0; }
    int release() {
        const int d = m_descriptor;
        m_descriptor = -1;
        return d;
    }
    void closeChecked(std::string_view what);  // throws Error when close reports a lost write

 private:
    int m_descriptor = -1;
};

}  // namespace unmask
