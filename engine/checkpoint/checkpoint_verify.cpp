// SPDX-License-Identifier: Apache-2.0
// Proving a checkpoint folder, and the scan for numbers that are none.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "engine/base/durable_file.h"
#include "engine/base/text.h"
#include "engine/checkpoint/checkpoint_folder.h"

namespace unmask {
namespace fs = std::filesystem;
namespace {

Error bad(const fs::path& file, const std::string& reason) {
    return Error(ErrorCode::badInput, "[checkpoint] " + file.string() + ": " + reason);
}

// Anything in the folder that the manifest does not know, or knows and is not there, or is no plain file.
void checkFileList(const fs::path& folder, const Manifest& manifest) {
    std::set<std::string> expected{"manifest.json"};
    for (const ManifestFile& file : manifest.files)
        if (!expected.insert(file.name).second)
            throw bad(folder / file.name, "the manifest names it twice");
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (expected.erase(name) == 0)
            throw bad(entry.path(), "the manifest does not know this file");
        if (entry.symlink_status().type() != fs::file_type::regular)
            throw bad(entry.path(), "it is not a plain file");
    }
    if (!expected.empty())
        throw bad(folder / *expected.begin(), "the file is missing");
    for (const ManifestFile& file : manifest.files) {
        const auto size = fs::file_size(folder / file.name);
        if (size != static_cast<uintmax_t>(file.bytes))
            throw bad(folder / file.name,
                      "it has " + std::to_string(size) + " bytes, the manifest says " + std::to_string(file.bytes));
    }
}

void dropFromCache(const fs::path& file) {
    const FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (descriptor.valid())
        ::posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_DONTNEED);
}

void verifyFile(const fs::path& folder, const ManifestFile& file, const PlaceTensor& place, Cache cache) {
    const fs::path path = folder / file.name;
    if (cache == Cache::drop)
        dropFromCache(path);
    const SafetensorsReader reader(path, SafetensorsReader::Links::refuse);
    const auto& tensors = reader.header().tensors;
    if (tensors.size() != file.tensors.size())
        throw bad(path, "it has " + std::to_string(tensors.size()) + " tensors, the manifest says " +
                            std::to_string(file.tensors.size()));
    for (size_t i = 0; i < tensors.size(); ++i) {
        const ManifestTensor& expected = file.tensors[i];
        if (tensors[i].name != expected.name || tensorTypeWord(tensors[i].type) != expected.type ||
            tensors[i].shape != expected.shape)
            throw bad(path, "tensor " + toValidUtf8(tensors[i].name) + " is not what the manifest says");
    }
    size_t index = 0;
    std::string wrong;
    const std::string hash = reader.readAndHash(
        place ? [&](const TensorInfo& tensor) { return place(file, tensor); } : SafetensorsReader::Place{},
        [&](const TensorInfo& tensor, const std::string& sha256) {
            if (sha256 != file.tensors[index++].sha256 && wrong.empty())
                wrong = tensor.name;
        });
    if (!wrong.empty())
        throw bad(path, "tensor " + toValidUtf8(wrong) + " does not match its hash");
    if (hash != file.sha256)
        throw bad(path, "it does not match its hash");
}

// All exponent bits set: infinity or NaN.
template <class Word>
bool hasNonFinite(const void* data, uint64_t bytes, Word exponent) {
    const auto* p = static_cast<const char*>(data);
    Word found = 0;
    for (uint64_t at = 0; at < bytes; at += sizeof(Word)) {
        Word word = 0;
        std::memcpy(&word, p + at, sizeof word);
        found = static_cast<Word>(found | static_cast<Word>((word & exponent) == exponent));
    }
    return found != 0;
}

bool hasNonFinite(const HostTensor& tensor) {
    const uint64_t bytes = tensorBytes(tensor.type, tensor.shape).orThrow();
    const void* data = tensor.data.get();
    switch (tensor.type) {
        case TensorType::float64:
            return hasNonFinite<uint64_t>(data, bytes, 0x7FF0000000000000u);
        case TensorType::float32:
        case TensorType::complex64:
            return hasNonFinite<uint32_t>(data, bytes, 0x7F800000u);
        case TensorType::bfloat16:
            return hasNonFinite<uint16_t>(data, bytes, 0x7F80u);
        case TensorType::float16:
            return hasNonFinite<uint16_t>(data, bytes, 0x7C00u);
        default:
            return false;
    }
}

}  // namespace

std::optional<std::string> firstNonFinite(const std::vector<HostPart>& parts) {
    for (const HostPart& part : parts)
        for (const HostTensor& tensor : part.tensors)
            if (hasNonFinite(tensor))
                return tensor.name;
    return std::nullopt;
}

Manifest readManifest(const fs::path& folder) {
    const fs::path file = folder / "manifest.json";
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
        throw bad(folder, "it is not a folder");
    if (::lstat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
        throw bad(file, "it is missing or not a plain file");
    auto manifest = decodeManifest(readWholeFile(file, kMaxManifestBytes));
    if (!manifest)
        throw bad(file, plainMessage(manifest.error()));
    return std::move(manifest).orThrow();
}

Manifest verifyFolder(const fs::path& folder, const PlaceTensor& place, Cache cache, std::string_view onlyFile) {
    try {
        if (cache == Cache::drop)
            dropFromCache(folder / "manifest.json");
        Manifest manifest = readManifest(folder);
        if (const auto step = stepOfFolder(folder.filename().string()); step && *step != manifest.step)
            throw bad(folder, "the manifest is of step " + std::to_string(manifest.step));
        checkFileList(folder, manifest);
        for (const ManifestFile& file : manifest.files)
            if (onlyFile.empty() || file.name == onlyFile)
                verifyFile(folder, file, place, cache);
        return manifest;
    } catch (const fs::filesystem_error& error) {
        throw systemError("[checkpoint] cannot look at " + folder.string(), error.code().value());
    }
}

}  // namespace unmask
