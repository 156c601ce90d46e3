// SPDX-License-Identifier: Apache-2.0
// The devices a layout is planned for: those of this computer, or some that are only described. What is planned for
// described ones is a projection and must be called one wherever it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/planner/hardware.h"
#include "engine/planner/known_devices.h"
#include "engine/planner/sentence.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

// Alpha-beta model of one device's way out.
struct LinkSpeed {
    double bytesPerSecond = 0;
    double seconds = 0;  // before the first byte arrives
    bool operator==(const LinkSpeed&) const = default;
};

// The calls that ranks share slabs by, and what one took here: `seconds` + `secondsPerByte` · bytes, where bytes are
// those of the whole slab.
enum class Collective { sum, sumAndScatter, gather };
struct MeasuredCollective {
    Collective call = Collective::sum;
    int64_t ranks = 2;
    double seconds = 0;
    double secondsPerByte = 0;
    bool operator==(const MeasuredCollective&) const = default;
};

struct MachineSet {
    std::string device;  // "A100 80 GB", "CPU"
    bool gpu = true;
    bool found = false;  // else described
    int64_t nodes = 1;
    int64_t devicesPerNode = 1;                // of a CPU its cores
    double memoryBytes = 0;                    // of a GPU, or of a CPU's node; 0 means unknown
    std::optional<double> flopsPerSecond;      // stated for a GPU, of fp32 products for a core; empty means unknown
    double memoryBytesPerSecond = 0;           // of a GPU, or of a CPU's node; 0 means unknown
    LinkSpeed inside;                          // a node
    LinkSpeed between;                         // nodes
    std::vector<MeasuredCollective> measured;  // in a node; empty: by `inside` alone

    int64_t devices() const { return nodes * devicesPerNode; }
    int64_t ranksOnNode(int64_t worldSize) const;
    // What one rank has when so many share the machines: ranks of a CPU share its cores, memory and bandwidth, and
    // there may be more of them than cores.
    int64_t threadsOfRank(int64_t worldSize) const;
    double memoryOfRank(int64_t worldSize) const;
    std::optional<double> flopsOfRank(int64_t worldSize) const;
    double bandwidthOfRank(int64_t worldSize) const;
    // Between ranks that are `stride` apart in a group of `size`: inside a node as long as the group is.
    const LinkSpeed& linkOf(int64_t stride, int64_t size) const;

    int64_t neighbours(int64_t stride, int64_t size) const;  // of such a group, how many stand in each node
    // Of a slab of `bytes` in a group: as measured where groups of that size were, else by the links.
    double seconds(Collective call, double bytes, int64_t stride, int64_t size) const;
    void setNetwork(double statedBytesPerSecond);  // of a device's way out of its node

    Sentence describe() const;  // "2 nodes of 4 × A100 80 GB"
    bool operator==(const MachineSet& other) const = default;
};

MachineSet machinesOf(const KnownDevice& device, int64_t nodes, int64_t devicesPerNode);
MachineSet coresOf(const Hardware& hardware);  // all of this computer's; `found` is set
// GPUs where the run would use them, else the cores of this computer. A GPU that is not known has no speed.
MachineSet machinesFound(const RunSpec& spec, const Hardware& hardware);

}  // namespace unmask
