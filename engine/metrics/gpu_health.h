// SPDX-License-Identifier: Apache-2.0
// NVIDIA GPUs through NVML, loaded at run time: without the driver there are simply no devices. A field that the driver
// does not support is a missing key, never 0.
#pragma once

#include <map>
#include <memory>
#include <string>

namespace unmask {

class GpuHealth {
 public:
    // library: for tests; empty takes libnvidia-ml.so.1
    explicit GpuHealth(const std::string& library = {});
    ~GpuHealth();
    GpuHealth(const GpuHealth&) = delete;
    GpuHealth& operator=(const GpuHealth&) = delete;

    int count() const;
    // device/N/temperature (°C), memory_used and memory_total (bytes), utilization (0 to 1), power (W)
    void read(std::map<std::string, double>& values) const;

 private:
    struct Library;
    std::unique_ptr<Library> m_library;
};

}  // namespace unmask
