// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cpu_features.h"

namespace unmask {

std::string missingCpuFeatures() {
#if defined(__x86_64__)
    std::string missing;
    if (!__builtin_cpu_supports("avx2"))
        missing = "AVX2";
    if (!__builtin_cpu_supports("fma"))
        missing += missing.empty() ? "FMA" : " and FMA";
    if (!missing.empty())
        return "This processor lacks " + missing +
               ", which the engine's CPU kernels need (Intel since 2013, AMD since 2015).";
#endif
    return "";
}

}  // namespace unmask
