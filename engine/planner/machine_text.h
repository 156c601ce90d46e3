// SPDX-License-Identifier: Apache-2.0
// Machines as people write them down.
#pragma once

#include <optional>
#include <string_view>

#include "engine/planner/machine_set.h"

namespace unmask {

struct MachinesRead {
    std::optional<MachineSet> machines;
    Sentence problem;  // where there are none
};

// "8 x A100 80 GB on 2 nodes" (8 in all), "2 nodes of 8 H100", "2 x 8 H100", "H200", "4x4090", "16 x H100 on 2 nodes
// over 400 Gb/s" (a device's way out of its node), "2 nodes of 16 cores, 64 GB", "cpu" (this computer's cores), "here"
// (what `spec` would be trained on here). Chinese: "2 个节点，每个 8 块 H100". What was not understood is said,
// with the nearest known name.
MachinesRead readMachines(std::string_view text, const RunSpec& spec, const Hardware& here);

}  // namespace unmask
