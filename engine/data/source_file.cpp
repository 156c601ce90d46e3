// SPDX-License-Identifier: Apache-2.0
#include "engine/data/source_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/base/error.h"

namespace unmask {

namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
    throw Error{ErrorCode::badInput, "[data] " + path.string() + " " + reason};
}

const char* kindOf(mode_t mode) {
    if (S_ISDIR(mode))
        return "is a folder; name the files in it";
    if (S_ISFIFO(mode))
        return "is a pipe; save its content as a file first";
    if (S_ISSOCK(mode))
        return "is a socket, not a file";
    return "is a device, not a file";
}

}  // namespace

SourceFile::SourceFile(const std::filesystem::path& path) : m_path(path) {
    // Never waits on a FIFO without a writer, and never reads from what is not a plain file.
    m_descriptor = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!m_descriptor.valid()) {
        if (errno == ENOENT)
            refuse(path, "does not exist");
        if (errno == ENXIO)
            refuse(path, "is a socket or a device, not a file");
        throw systemError("[data] cannot open " + path.string(), errno);
    }
    struct stat status {};
    if (::fstat(m_descriptor.get(), &status) != 0)
        throw systemError("[data] cannot look at " + path.string(), errno);
    if (!S_ISREG(status.st_mode))
        refuse(path, kindOf(status.st_mode));
    if (status.st_size <= 0)
        refuse(path, "is empty");
    m_size = status.st_size;
}

size_t SourceFile::readAt(char* out, size_t count, int64_t offset) {
    size_t done = 0;
    while (done < count) {
        const ssize_t got = ::pread(m_descriptor.get(), out + done, count - done, offset + static_cast<int64_t>(done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw systemError("[data] cannot read " + m_path.string(), errno);
        if (got == 0)
            refuse(m_path, "became shorter while it was read; try again when nothing writes to it");
        done += static_cast<size_t>(got);
    }
    return done;
}

std::string_view SourceFile::nextBlock() {
    const auto count = static_cast<size_t>(std::min<int64_t>(kBlockBytes, m_size - m_position));
    m_block.resize(count);
    readAt(m_block.data(), count, m_position);
    m_hash.update(m_block);
    m_blockOffset = m_position;
    m_position += static_cast<int64_t>(count);
    if (count > 0 && m_onRead)
        m_onRead(static_cast<int64_t>(count));
    return m_block;
}

std::string SourceFile::sha256() {
    return m_hash.hex();
}

void SourceFile::rewind() {
    m_position = 0;
    m_hash = Sha256();
}

std::string SourceFile::peek(size_t bytes) {
    std::string beginning(static_cast<size_t>(std::min<int64_t>(static_cast<int64_t>(bytes), m_size)), '\0');
    readAt(beginning.data(), beginning.size(), 0);
    return beginning;
}

char SourceFile::byteAt(int64_t offset) {
    char byte = 0;
    readAt(&byte, 1, offset);
    return byte;
}

}  // namespace unmask
