// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/nvml.h"

#include <dlfcn.h>

#include <array>

namespace unmask {

namespace {

// The few declarations of NVML's stable C interface that are used here.
using NvmlDevice = void*;
struct NvmlMemory {
    unsigned long long total, free, used;
};
constexpr int kNvmlSuccess = 0;

class Library {
 public:
    Library() : m_handle(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
    ~Library() {
        if (m_handle != nullptr)
            dlclose(m_handle);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    template <class Function>
    Function* symbol(const char* name) const {
        return m_handle == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(m_handle, name));
    }

 private:
    void* m_handle;
};

GpuDescription describe(const Library& library, NvmlDevice device) {
    GpuDescription gpu;
    std::array<char, 96> name{};
    const auto getName = library.symbol<int(NvmlDevice, char*, unsigned)>("nvmlDeviceGetName");
    if (getName != nullptr && getName(device, name.data(), name.size() - 1) == kNvmlSuccess)
        gpu.name = name.data();
    NvmlMemory memory{};
    const auto getMemory = library.symbol<int(NvmlDevice, NvmlMemory*)>("nvmlDeviceGetMemoryInfo");
    if (getMemory != nullptr && getMemory(device, &memory) == kNvmlSuccess) {
        gpu.memoryBytes = static_cast<double>(memory.total);
        gpu.freeMemoryBytes = static_cast<double>(memory.free);
    }
    return gpu;
}

}  // namespace

void describeGpus(Hardware& hardware) {
    const Library library;
    const auto init = library.symbol<int()>("nvmlInit_v2");
    const auto shutdown = library.symbol<int()>("nvmlShutdown");
    const auto count = library.symbol<int(unsigned*)>("nvmlDeviceGetCount_v2");
    const auto handle = library.symbol<int(unsigned, NvmlDevice*)>("nvmlDeviceGetHandleByIndex_v2");
    if (init == nullptr || shutdown == nullptr || count == nullptr || handle == nullptr || init() != kNvmlSuccess)
        return;
    std::array<char, 96> version{};
    const auto driver = library.symbol<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    if (driver != nullptr && driver(version.data(), version.size() - 1) == kNvmlSuccess)
        hardware.gpuDriver = version.data();
    unsigned devices = 0;
    if (count(&devices) != kNvmlSuccess)
        devices = 0;
    for (unsigned i = 0; i < devices; ++i) {
        NvmlDevice device = nullptr;
        if (handle(i, &device) == kNvmlSuccess)
            hardware.gpus.push_back(describe(library, device));
    }
    shutdown();
}

}  // namespace unmask
