// SPDX-License-Identifier: Apache-2.0
// Where a spec is computed and in which types, decided in one place. Refuses, in words, what this build or machine
// cannot do.
#pragma once

#include <string>

#include "engine/model/transformer.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

// `auto` takes a GPU that can be used; fp64 stays on the CPU. Throws where the spec wants a GPU that is not to be had.
bool trainsOnGpu(const RunSpec& spec);
ModelStorage modelStorage(const RunSpec& spec, Gradients gradients);

// Device, precision and threads of the spec are made effective for the calling thread.
void prepareDevice(const RunSpec& spec);
std::string describeDevice(const RunSpec& spec);  // "NVIDIA H200, 139.8 GiB", "CPU, 2 threads"

}  // namespace unmask
