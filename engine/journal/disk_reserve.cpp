// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/disk_reserve.h"

#include <fcntl.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engine/base/durable_file.h"

namespace unmask {
namespace {
constexpr uint64_t kLeast = uint64_t{64} << 10;
constexpr uint64_t kMost = uint64_t{16} << 20;  // some 50,000 records
constexpr uint64_t kMostInMemory = uint64_t{1} << 20;
constexpr long kTmpfsMagic = 0x01021994;  // linux/magic.h

std::filesystem::path reserveFile(const std::filesystem::path& runFolder) {
    return runFolder / "reserve";
}
}  // namespace

DiskReserve::~DiskReserve() {
    release();
}

void DiskReserve::removeLeftover(const std::filesystem::path& runFolder) {
    ::unlink(reserveFile(runFolder).c_str());
}

void DiskReserve::hold(const std::filesystem::path& runFolder) {
    release();
    struct statvfs volume {};
    if (::statvfs(runFolder.c_str(), &volume) != 0)
        return;
    struct statfs kind {};
    const bool inMemory = ::statfs(runFolder.c_str(), &kind) == 0 && static_cast<long>(kind.f_type) == kTmpfsMagic;
    const uint64_t free = uint64_t{volume.f_bavail} * volume.f_frsize;
    const uint64_t bytes =
        inMemory ? std::clamp(free / 8, kLeast, kMostInMemory) : std::clamp(free / 1000, kLeast, kMost);
    const auto file = reserveFile(runFolder);
    FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t{0600}));
    if (!descriptor.valid())
        return;
    m_file = file;
    // Not posix_fallocate: that writes zeros where the file system cannot reserve.
    if (::fallocate(descriptor.get(), 0, 0, static_cast<off_t>(bytes)) != 0)
        release();
}

bool DiskReserve::release() {
    return !m_file.empty() && ::unlink(std::exchange(m_file, {}).c_str()) == 0;
}

}  // namespace unmask
