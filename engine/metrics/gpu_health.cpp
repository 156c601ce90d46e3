// SPDX-License-Identifier: Apache-2.0
// NVML's C interface is stable; the few types and calls used here are declared by hand, so no CUDA header is needed.
#include "engine/metrics/gpu_health.h"

#include <dlfcn.h>

#include <vector>

namespace unmask {

namespace {

using Device = struct NvmlDeviceOpaque*;
struct Memory {
    unsigned long long total, free, used;
};
struct Utilization {
    unsigned int gpu, memory;
};
constexpr int kSuccess = 0;
constexpr int kTemperatureOfGpu = 0;

}  // namespace

struct GpuHealth::Library {
    void* handle = nullptr;
    int (*shutdown)() = nullptr;
    int (*temperature)(Device, int, unsigned int*) = nullptr;
    int (*memory)(Device, Memory*) = nullptr;
    int (*utilization)(Device, Utilization*) = nullptr;
    int (*power)(Device, unsigned int*) = nullptr;
    std::vector<Device> devices;

    template <class Function>
    void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(handle, name));
    }

    ~Library() {
        if (shutdown)
            shutdown();
        if (handle)
            dlclose(handle);
    }
};

GpuHealth::GpuHealth(const std::string& library) : m_library(std::make_unique<Library>()) {
    Library& nvml = *m_library;
    nvml.handle = dlopen(library.empty() ? "libnvidia-ml.so.1" : library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!nvml.handle)
        return;
    int (*init)() = nullptr;
    int (*deviceCount)(unsigned int*) = nullptr;
    int (*deviceAt)(unsigned int, Device*) = nullptr;
    nvml.find(init, "nvmlInit_v2");
    nvml.find(deviceCount, "nvmlDeviceGetCount_v2");
    nvml.find(deviceAt, "nvmlDeviceGetHandleByIndex_v2");
    if (!init || !deviceCount || !deviceAt || init() != kSuccess)
        return;
    nvml.find(nvml.shutdown, "nvmlShutdown");
    nvml.find(nvml.temperature, "nvmlDeviceGetTemperature");
    nvml.find(nvml.memory, "nvmlDeviceGetMemoryInfo");
    nvml.find(nvml.utilization, "nvmlDeviceGetUtilizationRates");
    nvml.find(nvml.power, "nvmlDeviceGetPowerUsage");
    unsigned int count = 0;
    if (deviceCount(&count) != kSuccess)
        return;
    for (unsigned int i = 0; i < count; ++i) {
        Device device = nullptr;
        nvml.devices.push_back(deviceAt(i, &device) == kSuccess ? device : nullptr);
    }
}

GpuHealth::~GpuHealth() = default;

int GpuHealth::count() const {
    return static_cast<int>(m_library->devices.size());
}

void GpuHealth::read(std::map<std::string, double>& values) const {
    const Library& nvml = *m_library;
    for (size_t i = 0; i < nvml.devices.size(); ++i) {
        const Device device = nvml.devices[i];
        if (!device)
            continue;
        const std::string name = "device/" + std::to_string(i) + "/";
        unsigned int number = 0;
        if (nvml.temperature && nvml.temperature(device, kTemperatureOfGpu, &number) == kSuccess)
            values[name + "temperature"] = number;
        if (Memory memory{}; nvml.memory && nvml.memory(device, &memory) == kSuccess) {
            values[name + "memory_used"] = static_cast<double>(memory.used);
            values[name + "memory_total"] = static_cast<double>(memory.total);
        }
        if (Utilization used{}; nvml.utilization && nvml.utilization(device, &used) == kSuccess)
            values[name + "utilization"] = used.gpu / 100.0;
        if (nvml.power && nvml.power(device, &number) == kSuccess)
            values[name + "power"] = number / 1000.0;
    }
}

}  // namespace unmask
