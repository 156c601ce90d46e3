// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/worker_program.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/planner/plan.h"

namespace unmask {
namespace {

constexpr std::string_view kSpinsBeforeSleep = "2000";  // some microseconds: long enough for even thread shares

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool isExecutable(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::filesystem::path torchFolder() {
    const std::string chosen = variable("UNMASK_TORCH_DIR");
    const char* const own = builtForGpus() ? "libtorch-2.11.0-gpu" : "libtorch-2.11.0";
    return chosen.empty() ? cacheFolder() / own / "torch" : std::filesystem::path(chosen);
}

bool torchInstalled() {
    std::error_code ignored;
    return std::filesystem::exists(torchFolder() / "lib" / "libtorch_cpu.so", ignored);
}

std::string missingTorchSentence() {
    return "LibTorch is not in " + torchFolder().string() +
           "; './run build' fetches it, or name its folder in UNMASK_TORCH_DIR";
}

// LibTorch's own folder, and CUDA's beside it as the wheels lay them out.
std::string libraryPath(const std::filesystem::path& torchLibraries) {
    std::string path = torchLibraries.string();
    std::error_code none;
    for (const auto& part :
         std::filesystem::directory_iterator(torchLibraries.parent_path().parent_path() / "nvidia", none))
        if (std::filesystem::is_directory(part.path() / "lib", none))
            path += ":" + (part.path() / "lib").string();
    return path;
}

WorkerProgram findWorker() {
    const std::string chosen = variable("UNMASK_WORKER");
    WorkerProgram worker;
    worker.executable = chosen.empty() ? executableFolder() / "unmask-worker" : std::filesystem::path(chosen);
    if (!isExecutable(worker.executable)) {
        throw Error(ErrorCode::badInput, "[launch] the program that trains is not at " + worker.executable.string() +
                                             (chosen.empty() ? "; build it with './run build', or name it in "
                                                               "UNMASK_WORKER"
                                                             : ", which UNMASK_WORKER names"));
    }
    if (torchInstalled())
        worker.torchLibraries = torchFolder() / "lib";
    return worker;
}

int64_t usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    return std::max<int64_t>(1, std::thread::hardware_concurrency());
}

void setVariable(std::vector<std::string>& environment, std::string_view name, std::string_view value) {
    const std::string start = std::string(name) + "=";
    std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(start); });
    environment.push_back(start + std::string(value));
}

std::vector<std::string> workerEnvironment(const WorkerProgram& worker, int64_t threads) {
    std::vector<std::string> environment;
    for (char** entry = environ; entry && *entry; ++entry)
        environment.emplace_back(*entry);
    if (!worker.torchLibraries.empty()) {
        const std::string before = variable("LD_LIBRARY_PATH");
        setVariable(environment, "LD_LIBRARY_PATH",
                    libraryPath(worker.torchLibraries) + (before.empty() ? "" : ":" + before));
    }
    // Threads that wait by spinning starve each other as soon as anything else runs here: with both cores shared,
    // training was five times slower than with waits that sleep.
    if (variable("OMP_WAIT_POLICY").empty() && variable("GOMP_SPINCOUNT").empty())
        setVariable(environment, "GOMP_SPINCOUNT", kSpinsBeforeSleep);
    if (threads > 0) {
        const std::string count = std::to_string(threads);
        setVariable(environment, "OMP_NUM_THREADS", count);
        setVariable(environment, "MKL_NUM_THREADS", count);
        // A library that takes fewer threads when the machine is busy would add in another order.
        setVariable(environment, "OMP_DYNAMIC", "FALSE");
        setVariable(environment, "MKL_DYNAMIC", "FALSE");
    }
    return environment;
}

void setRankVariables(std::vector<std::string>& environment, const RankPlace& place) {
    setVariable(environment, "RANK", std::to_string(place.rank));
    setVariable(environment, "WORLD_SIZE", std::to_string(place.worldSize));
    setVariable(environment, "LOCAL_RANK", std::to_string(place.localRank));
    setVariable(environment, "MASTER_ADDR", place.masterAddress);
    setVariable(environment, "MASTER_PORT", std::to_string(place.masterPort));
}

}  // namespace unmask
