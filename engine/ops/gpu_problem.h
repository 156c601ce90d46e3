// SPDX-License-Identifier: Apache-2.0
// Why a GPU cannot be used, from plain facts, so that each sentence can be shown without the hardware that earns it.
#pragma once

#include <string>

namespace unmask {

struct GpuFacts {
    int driver = 0;       // the newest CUDA it supports, as CUDA numbers versions: 13000 is 13.0; 0 without a driver
    std::string failure;  // what the driver said instead of counting the GPUs; empty when it has counted
    int devices = 0;
    // Of the first GPU.
    bool answers = true;
    std::string name;
    int major = 0, minor = 0;  // compute capability
    bool kernelsFit = true;    // this build holds code for it
};
constexpr int kOldestCuda = 13000;  // what kernels and LibTorch were built with

// Empty when a GPU can be used, else a sentence for people.
std::string problemOf(const GpuFacts& facts);
std::string cudaVersionText(int version);  // 13000 → "13.0"

}  // namespace unmask
