// SPDX-License-Identifier: Apache-2.0
// What a machine has, as far as it is known. An empty optional means unknown and is shown as unknown, never as 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"

namespace unmask {

struct GpuDescription {
    std::string name;
    std::optional<double> memoryBytes;
    std::optional<double> freeMemoryBytes;
    bool operator==(const GpuDescription&) const = default;
};

struct Hardware {
    std::string hostName;
    std::string processor;                       // empty when unknown
    std::optional<int64_t> cores;                // that this process may use
    std::optional<double> memoryBytes;           // of the machine, or of the container when that is less
    std::optional<double> availableMemoryBytes;  // free now, without swapping
    std::optional<double> matrixFlopsPerSecond;  // fp32 matrix products on all cores, from `unmask-worker probe`
    std::optional<bool> avx2;                    // AVX2 and FMA, which the CPU engine needs
    std::optional<std::string> gpuDriver;        // version; empty where no driver was found
    std::vector<GpuDescription> gpus;
    bool operator==(const Hardware&) const = default;
};

Json hardwareToJson(const Hardware& hardware);  // unknown figures are left out
Result<Hardware> hardwareFromJson(const Json& json);

Hardware detectHardware();  // this machine, by /proc, cgroup limits and NVML; takes a few milliseconds

}  // namespace unmask
