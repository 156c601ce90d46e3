// SPDX-License-Identifier: Apache-2.0
// Writing, renaming and removing; reading and proving is in checkpoint_verify.cpp.
#include "engine/checkpoint/checkpoint_folder.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/text.h"

namespace unmask {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kStep = "step-";
constexpr uint64_t kManifestReserve = uint64_t{64} << 10;

std::string freshId() {
    std::array<unsigned char, 8> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        const int64_t now = unixNanoseconds();
        std::memcpy(bytes.data(), &now, sizeof now);
    }
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string id;
    for (const unsigned char byte : bytes) {
        id += kDigits[byte >> 4];
        id += kDigits[byte & 15];
    }
    return id;
}

void renameNoReplace(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return;
    if (errno != EINVAL && errno != ENOSYS)
        throw fileError("[checkpoint] cannot rename " + from.string() + " to", to, errno);
    // A file system without the flag. We are the only writer (run lock), so looking first is enough.
    struct stat info {};
    if (::lstat(to.c_str(), &info) == 0)
        throw fileError("[checkpoint] cannot rename " + from.string() + " to", to, EEXIST);
    if (::rename(from.c_str(), to.c_str()) != 0)
        throw fileError("[checkpoint] cannot rename " + from.string() + " to", to, errno);
}

ManifestFile writePart(const fs::path& folder, const HostPart& part) {
    std::vector<SafetensorsWriter::Entry> entries;
    entries.reserve(part.tensors.size());
    for (const HostTensor& tensor : part.tensors)
        entries.push_back({tensor.name, tensor.type, tensor.shape});
    SafetensorsWriter writer(folder / part.file, entries);
    for (const HostTensor& tensor : part.tensors)
        writer.writeTensor(tensor.data.get());
    const auto written = writer.finish();
    ManifestFile file{part.file, static_cast<int64_t>(written.bytes), written.sha256, {}};
    for (size_t i = 0; i < written.tensors.size(); ++i)
        file.tensors.push_back({written.tensors[i].name, std::string(tensorTypeWord(written.tensors[i].type)),
                                written.tensors[i].shape, written.tensorSha256[i]});
    return file;
}

void removeTree(const fs::path& folder) noexcept {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

std::string stepFolderName(int64_t step) {
    return std::string(kStep) + std::to_string(step);
}

std::optional<int64_t> stepOfFolder(std::string_view name) {
    if (!name.starts_with(kStep))
        return std::nullopt;
    name.remove_prefix(kStep.size());
    int64_t step = -1;
    const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), step);
    if (status != std::errc{} || end != name.data() + name.size() || step < 0 || std::to_string(step) != name)
        return std::nullopt;
    return step;
}

std::vector<int64_t> publishedSteps(const fs::path& checkpoints) {
    std::vector<int64_t> steps;
    std::error_code status;
    for (fs::directory_iterator entry(checkpoints, status), end; !status && entry != end; entry.increment(status)) {
        const auto step = stepOfFolder(entry->path().filename().string());
        if (step && entry->symlink_status().type() == fs::file_type::directory)
            steps.push_back(*step);
    }
    std::sort(steps.begin(), steps.end());
    return steps;
}

uint64_t bytesOf(const std::vector<HostPart>& parts) {
    uint64_t total = kManifestReserve;
    for (const HostPart& part : parts)
        for (const HostTensor& tensor : part.tensors)
            total += tensorBytes(tensor.type, tensor.shape).orThrow() + 256;
    return total;
}

void requireFreeSpace(const fs::path& checkpoints, uint64_t bytes) {
    struct statvfs volume {};
    if (::statvfs(checkpoints.c_str(), &volume) != 0)
        throw systemError("[checkpoint] cannot ask the volume of " + checkpoints.string(), errno);
    const uint64_t needed = bytes + bytes / 10;
    if (uint64_t{volume.f_bavail} * volume.f_frsize < needed)
        throw Error(ErrorCode::disk, "[checkpoint] " + checkpoints.string() + " needs " +
                                         formatBytes(static_cast<double>(needed)) + " for a checkpoint; " +
                                         describeFreeSpace(checkpoints));
}

void publishFolder(const fs::path& checkpoints, const std::string& name, const std::vector<HostPart>& parts,
                   Manifest& manifest) {
    const fs::path temporary = checkpoints / (name + ".tmp-" + freshId());
    if (::mkdir(temporary.c_str(), 0755) != 0)
        throw fileError("[checkpoint] cannot make", temporary, errno);
    try {
        manifest.files.clear();
        for (const HostPart& part : parts)
            manifest.files.push_back(writePart(temporary, part));
        createFile(temporary / "manifest.json", encodeManifest(manifest));  // last; syncs file and folder
        renameNoReplace(temporary, checkpoints / name);
    } catch (...) {
        removeTree(temporary);
        throw;
    }
    try {
        syncFolder(checkpoints);
    } catch (...) {  // not known to be durable: the name must be free for the next try
        if (::rename((checkpoints / name).c_str(), temporary.c_str()) == 0)
            removeTree(temporary);
        throw;
    }
}

void setAside(const fs::path& checkpoints, const std::string& from, const std::string& to) {
    for (int number = 1;; ++number) {
        const fs::path target = checkpoints / (number == 1 ? to : to + "." + std::to_string(number));
        struct stat info {};
        if (::lstat(target.c_str(), &info) == 0)
            continue;
        renameNoReplace(checkpoints / from, target);
        syncFolder(checkpoints);
        return;
    }
}

void removeFolder(const fs::path& checkpoints, const std::string& name) {
    const fs::path trash = checkpoints / (".trash-" + name + "-" + freshId());
    renameNoReplace(checkpoints / name, trash);
    syncFolder(checkpoints);
    removeTree(trash);
}

void removeLeftovers(const fs::path& checkpoints) {
    std::vector<fs::path> dead;
    std::error_code status;
    for (fs::directory_iterator entry(checkpoints, status), end; !status && entry != end; entry.increment(status)) {
        const std::string name = entry->path().filename().string();
        if (name.find(".tmp-") != std::string::npos || name.starts_with(".trash-"))
            dead.push_back(entry->path());
    }
    for (const fs::path& folder : dead)
        removeTree(folder);
}

}  // namespace unmask
