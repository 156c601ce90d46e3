// SPDX-License-Identifier: Apache-2.0
#include "ui/store/local_disk.h"

#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace unmask::ui {
namespace {

// Types of statfs(2): NFS, SMB, CIFS, SMB2, Lustre, GPFS, AFS, Ceph, 9P, BeeGFS, and FUSE, which sshfs is.
constexpr std::array<uint64_t, 11> kNetworkTypes{0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x0BD00BD0, 0x47504653,
                                                 0x5346414F, 0x00C36400, 0x01021997, 0x19830326, 0x65735546};

}  // namespace

bool isNetworkVolume(const std::filesystem::path& place) {
    std::error_code error;
    std::filesystem::path there = std::filesystem::absolute(place, error);
    while (!std::filesystem::exists(there, error) && there.has_relative_path())
        there = there.parent_path();
    struct statfs volume {};
    if (::statfs(there.c_str(), &volume) != 0)
        return false;
    const auto type = static_cast<uint64_t>(volume.f_type) & 0xFFFFFFFFu;
    return std::find(kNetworkTypes.begin(), kNetworkTypes.end(), type) != kNetworkTypes.end();
}

std::filesystem::path privateLocalFolder(const std::filesystem::path& root) {
    const std::filesystem::path folder = root / ("unmask-" + std::to_string(::getuid()));
    ::mkdir(folder.c_str(), 0700);  // may be there already; what counts is checked next
    struct stat info {};
    const bool ours = ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::getuid() &&
                      (info.st_mode & 0077) == 0;
    return ours && !isNetworkVolume(folder) ? folder : std::filesystem::path();
}

}  // namespace unmask::ui
