// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/gpu_problem.h"

namespace unmask {

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string problemOf(const GpuFacts& facts) {
    if (facts.driver == 0)
        return "no NVIDIA driver was found on this computer";
    if (facts.driver < kOldestCuda)
        return "the NVIDIA driver is too old: it supports CUDA " + cudaVersionText(facts.driver) +
               ", this build needs " + cudaVersionText(kOldestCuda);
    if (!facts.failure.empty())
        return "no GPU can be used: " + facts.failure;
    if (facts.devices == 0)
        return "no GPU can be used: none is visible";
    if (!facts.answers)
        return "the GPU does not answer";
    if (!facts.kernelsFit)
        return "the kernels of this build were not made for " + facts.name + " (compute capability " +
               std::to_string(facts.major) + "." + std::to_string(facts.minor) + ")";
    return {};
}

}  // namespace unmask
