// SPDX-License-Identifier: Apache-2.0
// manifest.json of a checkpoint folder: what lies in it, byte by byte, and the counters of the run. Its last key is the
// SHA-256 of all bytes before it, so a reader checks before it parses; that hash is what the journal acknowledges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/interop/safetensors.h"

namespace unmask {

constexpr int kManifestVersion = 1;
constexpr size_t kMaxManifestBytes = size_t{64} << 20;

struct ManifestTensor {
    std::string name;
    std::string type;  // as in safetensors
    std::vector<int64_t> shape;
    std::string sha256;
    bool operator==(const ManifestTensor&) const = default;
};

struct ManifestFile {
    std::string name;  // "weights.safetensors"
    int64_t bytes = 0;
    std::string sha256;
    std::vector<ManifestTensor> tensors;
    bool operator==(const ManifestFile&) const = default;
};

struct Manifest {
    int version = kManifestVersion;
    std::string runId;
    int64_t attempt = 0;
    int64_t step = 0;
    std::string created;
    std::string codeVersion;
    std::vector<ManifestFile> files;
    Json counters = Json::object();
    std::string hash;  // of the encoded body; filled by encode and decode
    int64_t bytes() const;
    bool operator==(const Manifest&) const = default;
};

std::string encodeManifest(Manifest& manifest);
Result<Manifest> decodeManifest(std::string_view bytes);

}  // namespace unmask
