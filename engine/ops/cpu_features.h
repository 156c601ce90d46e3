// SPDX-License-Identifier: Apache-2.0
// Whether this processor has what the CPU kernels were compiled for.
#pragma once

#include <string>

namespace unmask {

// Empty when all is there, else a sentence for people: "This processor lacks AVX2 and FMA, …".
std::string missingCpuFeatures();

}  // namespace unmask
