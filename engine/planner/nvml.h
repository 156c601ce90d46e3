// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, loaded at run time; where it is missing there are simply no GPUs to describe.
#pragma once

#include "engine/planner/hardware.h"

namespace unmask {

void describeGpus(Hardware& hardware);  // fills gpus and gpuDriver

}  // namespace unmask
