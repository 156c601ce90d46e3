// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/known_devices.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace unmask {

namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

// Sources: NVIDIA's data sheets (products: dense, without sparsity, sums in fp32; half of NVLink's stated sum of both
// ways), the GeForce architecture papers for RTX cards, memory as nvidia-smi reports it with ECC as delivered. PCIe
// cards reach about 25 GB/s (generation 4) or 50 (generation 5) from card to card. Networks: one 400 Gb/s adapter a
// device in HGX H100 and later nodes, one of 200 in HGX A100 nodes, one of 100 for two data centre cards, 10 Gb/s for
// a work station.
constexpr std::array kDevices{
    KnownDevice{"b200", "B200", 180, 183359, 2250 * kTera, 8000 * kGiga, 900 * kGiga, 50 * kGiga},
    KnownDevice{"h200", "H200", 141, 143771, 989 * kTera, 4800 * kGiga, 450 * kGiga, 50 * kGiga},
    KnownDevice{"h100", "H100", 80, 81559, 989 * kTera, 3350 * kGiga, 450 * kGiga, 50 * kGiga},
    KnownDevice{"h100nvl", "H100 NVL", 94, 95830, 835 * kTera, 3900 * kGiga, 300 * kGiga, 25 * kGiga},
    KnownDevice{"h100pcie", "H100 PCIe", 80, 81559, 756 * kTera, 2000 * kGiga, 50 * kGiga, 25 * kGiga},
    KnownDevice{"h800", "H800", 80, 81559, 989 * kTera, 3350 * kGiga, 200 * kGiga, 50 * kGiga},
    KnownDevice{"h20", "H20", 96, 97871, 148 * kTera, 4000 * kGiga, 450 * kGiga, 50 * kGiga},
    KnownDevice{"a100", "A100", 80, 81920, 312 * kTera, 2039 * kGiga, 300 * kGiga, 25 * kGiga},
    KnownDevice{"a100", "A100", 40, 40960, 312 * kTera, 1555 * kGiga, 300 * kGiga, 25 * kGiga},
    KnownDevice{"a800", "A800", 80, 81920, 312 * kTera, 2039 * kGiga, 200 * kGiga, 25 * kGiga},
    KnownDevice{"a40", "A40", 48, 46068, 149.7 * kTera, 696 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"a30", "A30", 24, 24576, 165 * kTera, 933 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"a10", "A10", 24, 23028, 125 * kTera, 600 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"a10g", "A10G", 24, 23028, 70 * kTera, 600 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"l40s", "L40S", 48, 46068, 362 * kTera, 864 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"l40", "L40", 48, 46068, 181 * kTera, 864 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"l4", "L4", 24, 23034, 121 * kTera, 300 * kGiga, 25 * kGiga, 6.25 * kGiga},
    KnownDevice{"rtx6000ada", "RTX 6000 Ada", 48, 49140, 364 * kTera, 960 * kGiga, 25 * kGiga, 1.25 * kGiga},
    KnownDevice{"rtxa6000", "RTX A6000", 48, 49140, 154.8 * kTera, 768 * kGiga, 25 * kGiga, 1.25 * kGiga},
    KnownDevice{"rtx5090", "RTX 5090", 32, 32607, 209.5 * kTera, 1792 * kGiga, 50 * kGiga, 1.25 * kGiga},
    KnownDevice{"rtx4090", "RTX 4090", 24, 24564, 165.2 * kTera, 1008 * kGiga, 25 * kGiga, 1.25 * kGiga},
    KnownDevice{"rtx3090", "RTX 3090", 24, 24576, 71 * kTera, 936 * kGiga, 25 * kGiga, 1.25 * kGiga},
};

constexpr size_t kMostWords = 3;  // of a family: "rtx 6000 ada"

}  // namespace

std::string KnownDevice::title() const {
    return std::string(name) + " " + std::to_string(gigabytes) + " GB";
}

std::span<const KnownDevice> knownDevices() {
    return kDevices;
}

std::vector<std::string> nameWords(std::string_view name) {
    std::vector<std::string> words;
    bool inWord = false;
    for (const char c : name) {
        const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (part && !inWord)
            words.emplace_back();
        if (part)
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        inWord = part;
    }
    return words;
}

FamilyMatch familyAt(std::span<const std::string> words) {
    FamilyMatch best;
    std::string joined;
    for (size_t taken = 1; taken <= std::min(words.size(), kMostWords); ++taken) {
        joined += words[taken - 1];
        for (const KnownDevice& device : kDevices)
            if (device.family == joined || device.family == "rtx" + joined)
                best = {device.family, taken};
    }
    return best;
}

const KnownDevice* knownDevice(std::string_view driverName, double memoryBytes) {
    const std::vector<std::string> words = nameWords(driverName);
    FamilyMatch match;
    for (size_t at = 0; at < words.size() && match.words == 0; ++at)
        match = familyAt(std::span(words).subspan(at));
    // "H100 80GB HBM3 PCIe" has its kind behind the memory.
    const auto named = [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (match.family == "h100" && named("pcie"))
        match.family = "h100pcie";
    const KnownDevice* best = nullptr;
    const auto farness = [&](const KnownDevice& device) {
        return memoryBytes > 0 ? std::fabs(device.memoryBytes() - memoryBytes) : -device.memoryBytes();
    };
    for (const KnownDevice& device : kDevices)
        if (device.family == match.family && (!best || farness(device) < farness(*best)))
            best = &device;
    return best;
}

}  // namespace unmask
