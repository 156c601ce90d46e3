// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/machine_set.h"

#include <algorithm>

#include "engine/planner/plan.h"

namespace unmask {

namespace {

constexpr LinkSpeed kLoopback{2e9, 50e-6};        // Gloo between processes of one computer
constexpr LinkSpeed kEthernet{1.25e9, 80e-6};     // 10 Gb/s
constexpr LinkSpeed kUnknownGpuLink{20e9, 8e-6};  // PCIe 4
constexpr double kGpuLatency = 8e-6;
constexpr double kNetworkLatency = 20e-6;
constexpr double kLinkShare = 0.8;             // of the stated rate, which collectives reach
constexpr double kGuessedFlopsPerCore = 80e9;  // AVX2 core of the last years at 2.5 GHz, fp32, dense product
constexpr double kCpuBytesPerSecond = 20e9;

}  // namespace

int64_t MachineSet::ranksOnNode(int64_t worldSize) const {
    if (worldSize <= devices())  // nodes are filled one after another
        return std::clamp<int64_t>(worldSize, 1, devicesPerNode);
    return (worldSize + nodes - 1) / nodes;
}

int64_t MachineSet::threadsOfRank(int64_t worldSize) const {
    return gpu ? 1 : std::max<int64_t>(1, devicesPerNode / ranksOnNode(worldSize));
}

double MachineSet::memoryOfRank(int64_t worldSize) const {
    return gpu ? memoryBytes : memoryBytes / static_cast<double>(ranksOnNode(worldSize));
}

std::optional<double> MachineSet::flopsOfRank(int64_t worldSize) const {
    if (gpu || !flopsPerSecond)
        return flopsPerSecond;
    // Whole cores only: three ranks on four cores leave one idle.
    const auto ranks = static_cast<double>(ranksOnNode(worldSize));
    const double cores = static_cast<double>(devicesPerNode);
    return *flopsPerSecond * std::min(static_cast<double>(threadsOfRank(worldSize)), cores / ranks);
}

double MachineSet::bandwidthOfRank(int64_t worldSize) const {
    return gpu ? memoryBytesPerSecond : memoryBytesPerSecond / static_cast<double>(ranksOnNode(worldSize));
}

const LinkSpeed& MachineSet::linkOf(int64_t stride, int64_t size) const {
    if (nodes == 1)
        return inside;
    const int64_t covered = stride * size;
    return covered <= devicesPerNode && devicesPerNode % covered == 0 ? inside : between;
}

int64_t MachineSet::neighbours(int64_t stride, int64_t size) const {
    if (&linkOf(stride, size) == &inside)
        return size;
    const int64_t inNode = devicesPerNode % stride == 0 ? devicesPerNode / stride : 1;
    return size % inNode == 0 ? inNode : 1;
}

double MachineSet::seconds(Collective call, double bytes, int64_t stride, int64_t size) const {
    if (size <= 1)
        return 0;
    const int64_t near = neighbours(stride, size);
    if (near == size)
        for (const MeasuredCollective& known : measured)
            if (known.call == call && known.ranks == size)
                return known.seconds + known.secondsPerByte * bytes;
    // Rings, first in the node, then each device with its likes in the other nodes, which share the network evenly.
    // Everybody's part goes round once, for a sum twice. Gloo scatters by summing everything everywhere.
    const auto round = [](double all, int64_t members, const LinkSpeed& link) {
        const auto n = static_cast<double>(members);
        return (n - 1) * (link.seconds + all / n / link.bytesPerSecond);
    };
    const double once = round(bytes, near, inside) + round(bytes / static_cast<double>(near), size / near, between);
    return call == Collective::sum || (call == Collective::sumAndScatter && !gpu) ? 2 * once : once;
}

void MachineSet::setNetwork(double statedBytesPerSecond) {
    between.bytesPerSecond = statedBytesPerSecond * kLinkShare;
}

Sentence MachineSet::describe() const {
    const std::string each = std::to_string(devicesPerNode);
    Sentence what{each + " × " + device, each + " × " + device};
    if (!gpu)
        what = {each + (devicesPerNode == 1 ? " CPU core" : " CPU cores"), each + " 个 CPU 核"};
    if (nodes == 1)
        return what;
    return {std::to_string(nodes) + " nodes of " + what.en, std::to_string(nodes) + " 个节点，各 " + what.zh};
}

MachineSet machinesOf(const KnownDevice& device, int64_t nodes, int64_t devicesPerNode) {
    MachineSet machines;
    machines.device = device.title();
    machines.nodes = nodes;
    machines.devicesPerNode = devicesPerNode;
    machines.memoryBytes = device.memoryBytes();
    machines.flopsPerSecond = device.flopsPerSecond;
    machines.memoryBytesPerSecond = device.memoryBytesPerSecond;
    machines.inside = {device.linkBytesPerSecond * kLinkShare, kGpuLatency};
    machines.between = {device.networkBytesPerSecond * kLinkShare, kNetworkLatency};
    return machines;
}

MachineSet coresOf(const Hardware& hardware) {
    MachineSet machines;
    machines.device = "CPU";
    machines.gpu = false;
    machines.found = true;
    machines.devicesPerNode = std::max<int64_t>(1, hardware.cores.value_or(1));
    machines.memoryBytes = hardware.availableMemoryBytes.value_or(0);
    const double cores = static_cast<double>(machines.devicesPerNode);
    if (hardware.cores)
        machines.flopsPerSecond = hardware.matrixFlopsPerSecond.value_or(cores * kGuessedFlopsPerCore) / cores;
    machines.memoryBytesPerSecond = kCpuBytesPerSecond;
    machines.inside = kLoopback;
    machines.between = kEthernet;
    return machines;
}

MachineSet machinesFound(const RunSpec& spec, const Hardware& hardware) {
    if (!planTarget(spec, hardware).gpu || hardware.gpus.empty()) {
        MachineSet cores = coresOf(hardware);
        if (spec.training.threads > 0)
            cores.devicesPerNode = std::min(cores.devicesPerNode, spec.training.threads);
        return cores;
    }
    const GpuDescription& first = hardware.gpus.front();
    MachineSet machines;
    if (const KnownDevice* known = knownDevice(first.name, first.memoryBytes.value_or(0)))
        machines = machinesOf(*known, 1, 1);
    else
        machines.inside = machines.between = kUnknownGpuLink;
    machines.device = first.name;
    machines.found = true;
    machines.devicesPerNode = static_cast<int64_t>(hardware.gpus.size());
    machines.memoryBytes = first.freeMemoryBytes.value_or(0);
    for (const GpuDescription& gpu : hardware.gpus)  // the one that has least decides
        machines.memoryBytes = std::min(machines.memoryBytes, gpu.freeMemoryBytes.value_or(0));
    return machines;
}

}  // namespace unmask
