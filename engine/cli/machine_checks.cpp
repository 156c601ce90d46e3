// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/machine_checks.h"

#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "engine/base/places.h"
#include "engine/base/text.h"
#include "engine/launch/worker_program.h"
#include "engine/planner/plan.h"

namespace unmask {
namespace {

constexpr double kGibibyte = 1024.0 * 1024 * 1024;
constexpr double kLittleMemory = 2 * kGibibyte;
constexpr double kLittleDisk = 5 * kGibibyte;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The value of NAME= or `#define NAME` in a small text file, without quotes.
std::string valueIn(const std::filesystem::path& file, const std::string& start) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(start))
            continue;
        std::string value = line.substr(start.size());
        std::erase_if(value, [](char c) { return c == '"' || c == '\'' || c == ' ' || c == ','; });
        return value;
    }
    return {};
}

std::string prettySystem() {
    std::ifstream in("/etc/os-release");
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view kKey = "PRETTY_NAME=\"";
        if (line.starts_with(kKey))
            return line.substr(kKey.size(), line.size() - kKey.size() - 1);
    }
    return "Linux";
}

MachineCheck checkSystem() {
    utsname names{};
    uname(&names);
    const bool known = std::strcmp(names.machine, "x86_64") == 0;
    return {"System", known ? CheckState::good : CheckState::note,
            prettySystem() + ", kernel " + names.release + ", " + names.machine +
                (known ? "" : " (only x86_64 is tested)")};
}

MachineCheck checkProcessor(const Hardware& hardware) {
    std::string text = hardware.processor.empty() ? "unknown processor" : hardware.processor;
    text += ", " + (hardware.cores ? std::to_string(*hardware.cores) : "an unknown number of") + " usable cores";
    if (!hardware.avx2)
        return {"Processor", CheckState::note, text + "; whether it has AVX2 is unknown"};
    if (!*hardware.avx2)
        return {"Processor", CheckState::note, text + "; without AVX2 and FMA training on it is slow"};
    return {"Processor", CheckState::good, text + ", AVX2 and FMA"};
}

MachineCheck checkMemory(const Hardware& hardware) {
    if (!hardware.memoryBytes)
        return {"Memory", CheckState::note, "unknown"};
    std::string text = formatBytes(*hardware.memoryBytes);
    if (hardware.availableMemoryBytes)
        text += ", " + formatBytes(*hardware.availableMemoryBytes) + " free";
    const bool little = hardware.availableMemoryBytes.value_or(*hardware.memoryBytes) < kLittleMemory;
    return {"Memory", little ? CheckState::note : CheckState::good,
            text + (little ? "; larger presets need more" : "")};
}

MachineCheck checkTorch() {
    const std::filesystem::path folder = torchFolder();
    if (!torchInstalled())
        return {"LibTorch", CheckState::missing, missingTorchSentence() + ". Without it nothing can train"};
    const std::string version = torchVersion(folder);
    if (version.empty())
        return {"LibTorch", CheckState::note, folder.string() + ", of an unknown version"};
    if (!version.starts_with("2.11."))
        return {"LibTorch", CheckState::missing, version + " in " + folder.string() + "; 2.11 is needed"};
    return {"LibTorch", CheckState::good, version + " in " + folder.string()};
}

MachineCheck checkWorker() {
    try {
        return {"Training program", CheckState::good, findWorker().executable.string()};
    } catch (const Error&) {
        return {"Training program", CheckState::missing,
                "unmask-worker is not beside this program; './run build' builds it"};
    }
}

MachineCheck checkGpu(const Hardware& hardware) {
    if (!hardware.gpuDriver)
        return {"GPU", CheckState::note, "no NVIDIA driver; training runs on the CPU"};
    if (hardware.gpus.empty())
        return {"GPU", CheckState::note,
                "driver " + *hardware.gpuDriver + ", but no NVIDIA GPU; training runs on the CPU"};
    std::string text = "driver " + *hardware.gpuDriver;
    for (const GpuDescription& gpu : hardware.gpus)
        text += "; " + (gpu.name.empty() ? "unknown GPU" : gpu.name) +
                (gpu.memoryBytes ? ", " + formatBytes(*gpu.memoryBytes) : "");
    if (builtForGpus())
        return {"GPU", CheckState::good, text};
    return {"GPU", CheckState::note, text + "; this build trains on the CPU"};
}

MachineCheck checkToolkit() {
    std::vector<std::filesystem::path> places;
    const std::string path = variable("PATH");
    for (size_t begin = 0; begin < path.size();) {
        const size_t end = std::min(path.find(':', begin), path.size());
        places.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    places.emplace_back("/usr/local/cuda/bin");
    for (const auto& place : places)
        if (access((place / "nvcc").c_str(), X_OK) == 0)
            return {"CUDA toolkit", CheckState::good, (place / "nvcc").string()};
    return {"CUDA toolkit", CheckState::note, "not found; only needed to build GPU kernels"};
}

MachineCheck checkDisplay() {
    const std::string wayland = variable("WAYLAND_DISPLAY");
    const std::string x11 = variable("DISPLAY");
    if (!wayland.empty())
        return {"Display", CheckState::good, "Wayland (" + wayland + ")"};
    if (!x11.empty())
        return {"Display", CheckState::good, "X11 (" + x11 + ")"};
    return {"Display", CheckState::note, "none; the studio cannot open a window here, everything else works"};
}

std::string tryToWrite(const std::filesystem::path& folder) {
    std::string probe = (folder / ".unmask-probe-XXXXXX").string();
    const int descriptor = mkstemp(probe.data());
    if (descriptor < 0)
        return std::strerror(errno);
    close(descriptor);
    unlink(probe.c_str());
    return {};
}

MachineCheck checkFolder(const std::string& topic, const std::filesystem::path& folder, bool journals) {
    const std::filesystem::path place = existingParent(folder);
    std::string text = folder.string() + (place == folder ? "" : " (is made when needed)");
    if (const std::string fault = tryToWrite(place); !fault.empty())
        return {topic, CheckState::missing, text + " cannot be written: " + fault};
    struct statvfs volume {};
    double freeBytes = -1;
    if (statvfs(place.c_str(), &volume) == 0) {
        freeBytes = static_cast<double>(volume.f_bavail) * static_cast<double>(volume.f_frsize);
        text += ", " + formatBytes(freeBytes) + " free";
    }
    const std::string network = networkFileSystem(place);
    if (!network.empty() && journals)
        return {topic, CheckState::note,
                text + ". It is on " + network + ", whose locks cannot be trusted; set UNMASK_RUNS to a local folder"};
    const bool little = freeBytes >= 0 && freeBytes < kLittleDisk;
    return {topic, little ? CheckState::note : CheckState::good, text + (little ? ", which is little" : "")};
}

}  // namespace

std::string_view checkStateWord(CheckState state) {
    switch (state) {
        case CheckState::good:
            return "good";
        case CheckState::note:
            return "note";
        case CheckState::missing:
            break;
    }
    return "missing";
}

std::filesystem::path existingParent(const std::filesystem::path& place) {
    std::error_code ignored;
    std::filesystem::path path = place;
    while (!std::filesystem::exists(path, ignored) && path.has_relative_path())
        path = path.parent_path();
    return path;
}

std::string torchVersion(const std::filesystem::path& torch) {
    std::string version = valueIn(torch / "version.py", "__version__ =");
    if (version.empty())
        version = valueIn(torch.parent_path() / "build-version", "");  // of the library's own archive
    return version;
}

std::string networkFileSystem(const std::filesystem::path& place) {
    struct statfs info {};
    if (statfs(place.c_str(), &info) != 0)
        return {};
    struct Kind {
        uint32_t magic;
        const char* name;
    };
    static constexpr std::array kKinds{Kind{0x6969, "NFS"},        Kind{0xFF534D42, "CIFS"},
                                       Kind{0xFE534D42, "SMB"},    Kind{0x517B, "SMB"},
                                       Kind{0x00C36400, "CephFS"}, Kind{0x0BD00BD0, "Lustre"},
                                       Kind{0x47504653, "GPFS"},   Kind{0x19830326, "BeeGFS"},
                                       Kind{0x01021997, "9p"},     Kind{0x65735546, "a FUSE file system"},
                                       Kind{0x5346414F, "AFS"}};
    for (const Kind& kind : kKinds)
        if (static_cast<uint32_t>(info.f_type) == kind.magic)
            return kind.name;
    return {};
}

std::vector<MachineCheck> checkMachine(const Hardware& hardware) {
    return {checkSystem(),
            checkProcessor(hardware),
            checkMemory(hardware),
            checkTorch(),
            checkWorker(),
            checkGpu(hardware),
            checkToolkit(),
            checkDisplay(),
            checkFolder("Runs folder", runsFolder(), true),
            checkFolder("Cache folder", cacheFolder(), false),
            checkFolder("History folder", dataHome(), false),
            checkFolder("Settings folder", configHome(), false)};
}

}  // namespace unmask
