// SPDX-License-Identifier: Apache-2.0
// A file of the user, read once from front to back. Only regular files; pinned to the size it had when opened, so a log
// that grows meanwhile gives the same documents as its hash says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "engine/base/durable_file.h"
#include "engine/base/sha256.h"

namespace unmask {

class SourceFile {
 public:
    // Throws Error(badInput): missing, unreadable, a folder, FIFO, socket or device, or empty.
    explicit SourceFile(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    int64_t size() const { return m_size; }

    // The next part, empty at the end; valid until the next call. Throws when the file has become shorter.
    std::string_view nextBlock();
    int64_t blockOffset() const { return m_blockOffset; }  // of the part last given

    std::string sha256();  // of all that was read; once, after the end
    void rewind();
    // Called with the bytes read after each part.
    void onRead(std::function<void(int64_t bytes)> callback) { m_onRead = std::move(callback); }

    std::string peek(size_t bytes);  // the beginning, without moving
    char byteAt(int64_t offset);

 private:
    size_t readAt(char* out, size_t count, int64_t offset);

    std::filesystem::path m_path;
    FileDescriptor m_descriptor;
    int64_t m_size = 0;
    int64_t m_position = 0;
    int64_t m_blockOffset = 0;
    std::string m_block;
    Sha256 m_hash;
    std::function<void(int64_t)> m_onRead;
};

}  // namespace unmask
