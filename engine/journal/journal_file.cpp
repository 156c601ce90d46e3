// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/text.h"

namespace unmask {
namespace {
FileDescriptor openRegular(const std::filesystem::path& file, int flags) {
    FileDescriptor descriptor(
        ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, mode_t{0644}));
    if (!descriptor.valid())
        throw fileError("[journal] cannot open", file, errno);
    struct stat info {};
    if (::fstat(descriptor.get(), &info) != 0 || !S_ISREG(info.st_mode))
        throw Error(ErrorCode::badInput, "[journal] " + file.string() + " is not a regular file");
    return descriptor;
}

// Bytes written before the disk refused; -1 never.
size_t writeAt(int descriptor, std::string_view bytes, int64_t offset, int& reason) {
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::pwrite(descriptor, bytes.data() + done, bytes.size() - done,
                                       static_cast<off_t>(offset + static_cast<int64_t>(done)));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            reason = count < 0 ? errno : EIO;
            return done;
        }
        done += static_cast<size_t>(count);
    }
    reason = 0;
    return done;
}
}  // namespace

JournalFile JournalFile::openAt(const std::filesystem::path& file, int64_t goodEnd) {
    JournalFile journal;
    journal.m_path = file;
    journal.m_descriptor = openRegular(file, 0);
    journal.m_end = goodEnd;
    if (journal.size() > goodEnd)
        journal.cutTornTail(goodEnd);
    syncFolder(file.parent_path());
    return journal;
}

JournalFile JournalFile::create(const std::filesystem::path& file, std::string_view bytes) {
    JournalFile journal;
    journal.m_path = file;
    journal.m_descriptor = openRegular(file, O_EXCL);
    try {
        if (!journal.write(bytes))
            throw journal.fullError(bytes.size());
        journal.sync();
        syncFolder(file.parent_path());
    } catch (...) {
        ::unlink(file.c_str());
        throw;
    }
    return journal;
}

int64_t JournalFile::size() const {
    struct stat info {};
    if (::fstat(m_descriptor.get(), &info) != 0)
        throw systemError("[journal] cannot look at " + m_path.string(), errno);
    return info.st_size;
}

void JournalFile::cutTornTail(int64_t goodEnd) {
    const int64_t torn = size() - goodEnd;
    std::string bytes(static_cast<size_t>(std::min<int64_t>(torn, int64_t{64} << 20)), '\0');
    const ssize_t got = ::pread(m_descriptor.get(), bytes.data(), bytes.size(), static_cast<off_t>(goodEnd));
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    const auto copy = m_path.parent_path() / ("events.torn-" + std::to_string(goodEnd));
    try {
        replaceFile(copy, bytes, Durability::news);
    } catch (const Error&) {  // a full disk must not keep a run from resuming: the bytes were no record
    }
    if (::ftruncate(m_descriptor.get(), static_cast<off_t>(goodEnd)) != 0) {
        m_end = goodEnd + torn;
        m_needsNewline = true;
    }
}

bool JournalFile::write(std::string_view bytes) {
    std::string withNewline;
    if (m_needsNewline) {
        withNewline = '\n' + std::string(bytes);
        bytes = withNewline;
    }
    const size_t done = writeAt(m_descriptor.get(), bytes, m_end, m_lastErrno);
    if (done == bytes.size()) {
        m_end += static_cast<int64_t>(done);
        m_needsNewline = false;
        return true;
    }
    // A call that fails may still have left bytes: the size is asked, not the return value believed.
    if (hasForeignBytes() && ::ftruncate(m_descriptor.get(), static_cast<off_t>(m_end)) != 0)
        adoptForeignBytes();
    return false;
}

bool JournalFile::syncDescriptor(int descriptor) {
    return ::fdatasync(descriptor) == 0;
}

void JournalFile::sync() {
    if (!syncDescriptor(m_descriptor.get()))
        throw fileError("[journal] cannot sync", m_path, errno);
}

void JournalFile::cutBack(size_t bytes) {
    const int64_t end = m_end - static_cast<int64_t>(bytes);
    if (end >= 0 && ::ftruncate(m_descriptor.get(), static_cast<off_t>(end)) == 0)
        m_end = end;
}

bool JournalFile::isFull() const {
    return m_lastErrno == ENOSPC || m_lastErrno == EDQUOT;
}

bool JournalFile::hasForeignBytes() const {
    struct stat info {};
    return ::fstat(m_descriptor.get(), &info) == 0 && info.st_size > m_end;
}

void JournalFile::adoptForeignBytes() {
    m_end = size();
    m_needsNewline = true;
}

Error JournalFile::fullError(size_t bytesWaiting) const {
    const std::string what = "[journal] cannot write " + m_path.string() + " (" +
                             formatBytes(static_cast<double>(bytesWaiting)) + " waiting; " +
                             describeFreeSpace(m_path.parent_path()) + ")";
    const Error error = systemError(what, m_lastErrno == 0 ? EIO : m_lastErrno);
    return Error(ErrorCode::disk, error.what());
}

}  // namespace unmask
