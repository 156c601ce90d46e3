// SPDX-License-Identifier: Apache-2.0
// The safetensors format (8 bytes header length, JSON header, raw tensors), read as if every file were hostile: no
// hole, no overlap, no size that the file does not have, nothing allocated before it is checked. Knows no tensors, only
// bytes. Format: https://github.com/huggingface/safetensors, README "Format".
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/durable_file.h"
#include "engine/base/result.h"
#include "engine/base/sha256.h"

namespace unmask {

enum class TensorType {
    boolean,
    float4,
    float6e2m3,
    float6e3m2,
    uint8,
    int8,
    float8e5m2,
    float8e4m3,
    float8e8m0,
    int16,
    uint16,
    float16,
    bfloat16,
    int32,
    uint32,
    float32,
    complex64,
    float64,
    int64,
    uint64
};
std::string_view tensorTypeWord(TensorType type);  // as in files: "F32", "BF16", …
int tensorTypeBits(TensorType type);

struct TensorInfo {
    std::string name;
    TensorType type = TensorType::float32;
    std::vector<int64_t> shape;
    uint64_t begin = 0;  // within the data, which follows the header
    uint64_t end = 0;
    uint64_t bytes() const { return end - begin; }
};

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors;  // in file order
    std::map<std::string, std::string> metadata;
    uint64_t dataStart = 0;
    uint64_t dataBytes = 0;
};

constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

// `prefix` is the start of the file: the length and the whole header. The error names the tensor or byte at fault.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view prefix, uint64_t fileBytes);
// Bytes of a tensor; none when the product overflows or does not end on a byte.
Result<uint64_t> tensorBytes(TensorType type, const std::vector<int64_t>& shape);

class SafetensorsReader {
 public:
    enum class Links { follow, refuse };
    // Throws Error(badInput) for anything that is not a sound file.
    explicit SafetensorsReader(const std::filesystem::path& file, Links links = Links::follow);
    const SafetensorsHeader& header() const { return m_header; }
    const TensorInfo* find(std::string_view name) const;
    void read(const TensorInfo& tensor, void* target) const;  // tensor.bytes() bytes

    // Reads the file once from the first byte to the last and returns its SHA-256. `place` says where the bytes of a
    // tensor go (null: only hashed); `done` hears the hash of each.
    using Place = std::function<void*(const TensorInfo&)>;
    using Done = std::function<void(const TensorInfo&, const std::string& sha256)>;
    std::string readAndHash(const Place& place, const Done& done) const;
    uint64_t fileBytes() const { return m_header.dataStart + m_header.dataBytes; }

 private:
    void readAt(uint64_t offset, void* target, uint64_t size) const;

    std::filesystem::path m_path;
    FileDescriptor m_descriptor;
    std::string m_prefix;
    SafetensorsHeader m_header;
};

// Writes a new file (never onto one that exists): O_EXCL, hashing on the way, fdatasync at the end.
class SafetensorsWriter {
 public:
    struct Entry {
        std::string name;
        TensorType type = TensorType::float32;
        std::vector<int64_t> shape;
    };
    struct Written {
        uint64_t bytes = 0;
        std::string sha256;
        std::vector<TensorInfo> tensors;
        std::vector<std::string> tensorSha256;  // in the order of `tensors`
    };
    SafetensorsWriter(const std::filesystem::path& file, const std::vector<Entry>& entries,
                      const std::map<std::string, std::string>& metadata = {});
    void writeTensor(const void* data);  // the next entry, whole
    Written finish();                    // Error when an entry is missing or the disk refuses

 private:
    void put(const void* data, uint64_t size, Sha256* tensorHash);

    std::filesystem::path m_path;
    FileDescriptor m_descriptor;
    Sha256 m_hash;
    Written m_written;
    size_t m_next = 0;
};

}  // namespace unmask
