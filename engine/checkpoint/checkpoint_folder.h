// SPDX-License-Identifier: Apache-2.0
// One checkpoint folder on disk: written so that it is either absent or whole, read so that every byte is proven.
// Names: step-N (published), step-N.tmp-<id> (being written), and bad-, superseded-, quarantine-step-N. No torch here.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/manifest.h"

namespace unmask {

std::string stepFolderName(int64_t step);                    // "step-100"
std::optional<int64_t> stepOfFolder(std::string_view name);  // of exactly "step-N", N without leading zeros
std::vector<int64_t> publishedSteps(const std::filesystem::path& checkpoints);  // ascending; folders only, no links

struct HostTensor {
    std::string name;
    TensorType type = TensorType::float32;
    std::vector<int64_t> shape;
    std::shared_ptr<void> data;  // host memory; may be null when the tensor has no elements
};

struct HostPart {
    std::string file;  // "weights.safetensors"
    std::vector<HostTensor> tensors;
};

uint64_t bytesOf(const std::vector<HostPart>& parts);
// Name of the first tensor with a NaN or an infinity; none when all are finite. Integer tensors always are.
std::optional<std::string> firstNonFinite(const std::vector<HostPart>& parts);

// Refuses with Error(disk), volume and figures when there is less than the size + 10 % free.
void requireFreeSpace(const std::filesystem::path& checkpoints, uint64_t bytes);

// Writes parts and manifest into a fresh temporary folder, syncs everything, renames it to `name` (Error when that
// exists), syncs the parent. On any error the temporary folder is gone again. Fills manifest.files and its hash.
void publishFolder(const std::filesystem::path& checkpoints, const std::string& name,
                   const std::vector<HostPart>& parts, Manifest& manifest);

// Reads the manifest alone: own hash, size, format. Error(badInput) with the reason.
Manifest readManifest(const std::filesystem::path& folder);

// Verifies every byte of the folder: manifest, exact list of files, no links, sizes, hashes of files and tensors,
// names, types and shapes. `place` (may be null) says where the bytes of a tensor go; they are proven only once this
// returns. With `onlyFile` the other files are merely looked at. Throws Error(badInput) naming file and reason;
// Error(disk) when the disk itself refuses, which proves nothing about the checkpoint.
using PlaceTensor = std::function<void*(const ManifestFile&, const TensorInfo&)>;
enum class Cache { keep, drop };  // drop: read from the disk, not from what the kernel remembers
Manifest verifyFolder(const std::filesystem::path& folder, const PlaceTensor& place, Cache cache,
                      std::string_view onlyFile = {});

// Renames below `checkpoints` without replacing and syncs the parent; on a taken name ".2", ".3", … is appended.
void setAside(const std::filesystem::path& checkpoints, const std::string& from, const std::string& to);
// Renames to .trash-…, syncs the parent, then unlinks: a kill never leaves half a step-N.
void removeFolder(const std::filesystem::path& checkpoints, const std::string& name);
// Removes what dead writers left: *.tmp-* and .trash-*. Only for the holder of the run lock.
void removeLeftovers(const std::filesystem::path& checkpoints);

}  // namespace unmask
