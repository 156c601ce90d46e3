// SPDX-License-Identifier: Apache-2.0
#include "engine/base/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace unmask {
namespace fs = std::filesystem;

FileDescriptor::~FileDescriptor() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        m_descriptor = other.release();
    }
    return *this;
}

void FileDescriptor::closeChecked(std::string_view what) {
    if (m_descriptor >= 0 && ::close(release()) != 0)
        throw systemError("[file] cannot close " + std::string(what), errno);
}

std::string describeFreeSpace(const fs::path& place) {
    struct statvfs volume {};
    fs::path existing = place;
    while (!existing.empty() && ::statvfs(existing.c_str(), &volume) != 0) {
        if (existing == existing.parent_path())
            return "the volume of " + place.string() + " cannot be asked for its free space";
        existing = existing.parent_path();
    }
    const double free = static_cast<double>(volume.f_bavail) * static_cast<double>(volume.f_frsize);
    return "the volume of " + existing.string() + " has " + formatBytes(free) + " free";
}

Error fileError(std::string_view message, const fs::path& place, int errnoValue) {
    std::string text = std::string(message) + " " + place.string();
    if (errnoValue == ENOSPC || errnoValue == EDQUOT)
        text += " (" + describeFreeSpace(place) + ")";
    return systemError(text, errnoValue);
}

void writeAll(int descriptor, std::string_view bytes, std::string_view what) {
    const size_t total = bytes.size();
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            const int reason = count < 0 ? errno : EIO;
            std::string message =
                "[file] cannot write " + std::string(what) + " (" + formatBytes(static_cast<double>(total)) + " needed";
            if (reason == ENOSPC || reason == EDQUOT)
                message += "; " + describeFreeSpace(fs::path(std::string(what)).parent_path());
            throw systemError(message + ")", reason);
        }
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

void syncFolder(const fs::path& folder) {
    const FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!descriptor.valid())
        throw systemError("[file] cannot open folder " + folder.string(), errno);
    if (::fsync(descriptor.get()) != 0)
        throw systemError("[file] cannot sync folder " + folder.string(), errno);
}

namespace {
fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void writeFresh(const fs::path& file, std::string_view bytes, int mode, bool sync) {
    FileDescriptor descriptor(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, static_cast<mode_t>(mode)));
    if (!descriptor.valid())
        throw systemError("[file] cannot create " + file.string(), errno);
    try {
        writeAll(descriptor.get(), bytes, file.string());
        // fsync is never retried: after EIO the kernel marks the pages clean and a second call lies.
        if (sync && ::fdatasync(descriptor.get()) != 0)
            throw systemError("[file] cannot sync " + file.string(), errno);
        descriptor.closeChecked(file.string());
    } catch (...) {
        ::unlink(file.c_str());
        throw;
    }
}
}  // namespace

void replaceFile(const fs::path& file, std::string_view bytes, Durability durability, int mode) {
    static std::atomic<unsigned> counter{0};
    fs::path fresh = file;
    fresh += ".new-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    ::unlink(fresh.c_str());  // left by a killed process that had our pid
    writeFresh(fresh, bytes, mode, durability == Durability::durable);
    if (::rename(fresh.c_str(), file.c_str()) != 0) {
        const int reason = errno;
        ::unlink(fresh.c_str());
        throw systemError("[file] cannot replace " + file.string(), reason);
    }
    if (durability == Durability::durable)
        syncFolder(folderOf(file));
}

void createFile(const fs::path& file, std::string_view bytes, int mode) {
    writeFresh(file, bytes, mode, true);
    syncFolder(folderOf(file));
}

std::string readWholeFile(const fs::path& file, size_t limitBytes) {
    const FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!descriptor.valid())
        throw systemError("[file] cannot open " + file.string(), errno);
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0)
        throw systemError("[file] cannot read " + file.string(), errno);
    if (!S_ISREG(status.st_mode))
        throw Error(ErrorCode::badInput, "[file] " + file.string() + " is not a regular file");
    if (static_cast<uint64_t>(status.st_size) > limitBytes)
        throw Error(ErrorCode::badInput, "[file] " + file.string() + " has " +
                                             formatBytes(static_cast<double>(status.st_size)) + ", more than the " +
                                             formatBytes(static_cast<double>(limitBytes)) + " allowed");
    std::string bytes;
    char buffer[65536];
    for (;;) {
        const ssize_t count = ::read(descriptor.get(), buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw systemError("[file] cannot read " + file.string(), errno);
        if (count == 0)
            return bytes;
        bytes.append(buffer, static_cast<size_t>(count));
        if (bytes.size() > limitBytes)
            throw Error(ErrorCode::badInput, "[file] " + file.string() + " grew while it was read");
    }
}

}  // namespace unmask
