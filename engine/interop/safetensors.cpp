// SPDX-License-Identifier: Apache-2.0
#include "engine/interop/safetensors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/base/json.h"
#include "engine/base/text.h"

namespace unmask {
namespace {
constexpr uint64_t kPiece = uint64_t{1} << 20;  // hashed and moved while it is in the cache

std::string lengthBytes(uint64_t length) {
    std::string bytes;
    for (int i = 0; i < 8; ++i)
        bytes += static_cast<char>(length >> (8 * i));
    return bytes;
}
}  // namespace

SafetensorsReader::SafetensorsReader(const std::filesystem::path& file, Links links) : m_path(file) {
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links == Links::refuse ? O_NOFOLLOW : 0);
    m_descriptor = FileDescriptor(::open(file.c_str(), flags));
    if (!m_descriptor.valid())
        throw systemError("[safetensors] cannot open " + file.string(), errno);
    struct stat info {};
    if (::fstat(m_descriptor.get(), &info) != 0)
        throw systemError("[safetensors] cannot look at " + file.string(), errno);
    if (!S_ISREG(info.st_mode))
        throw Error(ErrorCode::badInput, "[safetensors] " + file.string() + " is not a regular file");
    const auto size = static_cast<uint64_t>(info.st_size);
    m_prefix.resize(std::min<uint64_t>(8, size));
    readAt(0, m_prefix.data(), m_prefix.size());
    uint64_t length = 0;
    for (size_t i = 0; i < m_prefix.size(); ++i)
        length |= uint64_t{static_cast<unsigned char>(m_prefix[i])} << (8 * i);
    if (size >= 8 && length <= std::min(kMaxSafetensorsHeader, size - 8)) {
        m_prefix.resize(8 + length);
        readAt(8, m_prefix.data() + 8, length);
    }
    auto header = parseSafetensorsHeader(m_prefix, size);
    if (!header)
        throw Error(ErrorCode::badInput, file.string() + ": " + header.error().what());
    m_header = std::move(header).orThrow();
}

const TensorInfo* SafetensorsReader::find(std::string_view name) const {
    for (const TensorInfo& tensor : m_header.tensors)
        if (tensor.name == name)
            return &tensor;
    return nullptr;
}

void SafetensorsReader::readAt(uint64_t offset, void* target, uint64_t size) const {
    auto* bytes = static_cast<char*>(target);
    while (size > 0) {
        const ssize_t got = ::pread(m_descriptor.get(), bytes, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            throw systemError("[safetensors] cannot read " + m_path.string(), errno);
        if (got == 0)
            throw Error(ErrorCode::badInput,
                        "[safetensors] " + m_path.string() + " ended at byte " + std::to_string(offset));
        bytes += got;
        offset += static_cast<uint64_t>(got);
        size -= static_cast<uint64_t>(got);
    }
}

void SafetensorsReader::read(const TensorInfo& tensor, void* target) const {
    readAt(m_header.dataStart + tensor.begin, target, tensor.bytes());
}

std::string SafetensorsReader::readAndHash(const Place& place, const Done& done) const {
    ::posix_fadvise(m_descriptor.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
    Sha256 fileHash;
    fileHash.update(m_prefix);
    std::string scratch;
    for (const TensorInfo& tensor : m_header.tensors) {
        Sha256 tensorHash;
        auto* target = static_cast<char*>(place ? place(tensor) : nullptr);
        for (uint64_t at = 0; at < tensor.bytes(); at += kPiece) {
            const uint64_t size = std::min(kPiece, tensor.bytes() - at);
            if (!target && scratch.size() < size)
                scratch.resize(size);
            char* piece = target ? target + at : scratch.data();
            readAt(m_header.dataStart + tensor.begin + at, piece, size);
            tensorHash.update(piece, size);
            fileHash.update(piece, size);
        }
        if (done)
            done(tensor, tensorHash.hex());
    }
    return fileHash.hex();
}

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& file, const std::vector<Entry>& entries,
                                     const std::map<std::string, std::string>& metadata)
    : m_path(file) {
    Json header = Json::object();
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    uint64_t position = 0;
    for (const Entry& entry : entries) {
        const uint64_t bytes = tensorBytes(entry.type, entry.shape).orThrow();
        if (header.contains(entry.name))
            throw Error(ErrorCode::internal, "[safetensors] two tensors are called " + entry.name);
        header[entry.name] = {{"dtype", tensorTypeWord(entry.type)},
                              {"shape", entry.shape},
                              {"data_offsets", {position, position + bytes}}};
        m_written.tensors.push_back({entry.name, entry.type, entry.shape, position, position + bytes});
        position += bytes;
    }
    std::string text = dumpLine(header);
    text.append((8 - text.size() % 8) % 8, ' ');  // so that the data begins on 8 bytes
    if (text.size() > kMaxSafetensorsHeader)
        throw Error(ErrorCode::badInput, "[safetensors] the header of " + file.string() + " would be too large");
    m_descriptor =
        FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t{0644}));
    if (!m_descriptor.valid())
        throw fileError("[safetensors] cannot create", file, errno);
    const std::string prefix = lengthBytes(text.size()) + text;
    put(prefix.data(), prefix.size(), nullptr);
}

void SafetensorsWriter::put(const void* data, uint64_t size, Sha256* tensorHash) {
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const uint64_t piece = std::min(size, kPiece);
        m_hash.update(bytes, piece);
        if (tensorHash)
            tensorHash->update(bytes, piece);
        writeAll(m_descriptor.get(), {bytes, piece}, m_path.string());
        m_written.bytes += piece;
        bytes += piece;
        size -= piece;
    }
}

void SafetensorsWriter::writeTensor(const void* data) {
    if (m_next >= m_written.tensors.size())
        throw Error(ErrorCode::internal, "[safetensors] more tensors than announced for " + m_path.string());
    Sha256 hash;
    put(data, m_written.tensors[m_next++].bytes(), &hash);
    m_written.tensorSha256.push_back(hash.hex());
}

SafetensorsWriter::Written SafetensorsWriter::finish() {
    if (m_next != m_written.tensors.size())
        throw Error(ErrorCode::internal, "[safetensors] tensors are missing in " + m_path.string());
    // Never tried twice: after EIO the kernel calls the lost pages clean.
    if (::fdatasync(m_descriptor.get()) != 0)
        throw fileError("[safetensors] cannot sync", m_path, errno);
    m_descriptor.closeChecked(m_path.string());
    m_written.sha256 = m_hash.hex();
    return std::move(m_written);
}

}  // namespace unmask
