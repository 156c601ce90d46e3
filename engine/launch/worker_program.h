// SPDX-License-Identifier: Apache-2.0
// Where the worker program and LibTorch are, and the environment a worker process gets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace unmask {

struct WorkerProgram {
    std::filesystem::path executable;
    std::filesystem::path torchLibraries;  // goes to the front of LD_LIBRARY_PATH; empty when none was found
};

std::filesystem::path torchFolder();  // UNMASK_TORCH_DIR, else the user's cache; need not exist
bool torchInstalled();                // torchFolder() has the library that computes
std::string missingTorchSentence();   // where it is not, and what to do

// UNMASK_WORKER, else `unmask-worker` beside the running program. Throws Error with what to do when it is not there.
WorkerProgram findWorker();

// Which of how many; the names are torchrun's.
struct RankPlace {
    int rank = 0;
    int worldSize = 1;
    int localRank = 0;
    std::string masterAddress = "127.0.0.1";
    int masterPort = 29500;
};

int64_t usableCores();  // cores this process may run on, at least 1

// The caller's own environment with library path and thread counts; 0 threads leaves the counts alone.
std::vector<std::string> workerEnvironment(const WorkerProgram& worker, int64_t threads);
void setVariable(std::vector<std::string>& environment, std::string_view name, std::string_view value);
void setRankVariables(std::vector<std::string>& environment, const RankPlace& place);

}  // namespace unmask
