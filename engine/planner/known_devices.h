// SPDX-License-Identifier: Apache-2.0
// What the makers say of their GPUs, for plans on machines that are not here. One line a device and memory size.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unmask {

struct KnownDevice {
    std::string_view family;       // as it is looked for: small letters and digits, "h100pcie"
    std::string_view name;         // as it is shown: "H100 PCIe"
    int64_t gigabytes;             // as it is sold
    int64_t mebibytes;             // as the driver reports it
    double flopsPerSecond;         // dense bfloat16 products
    double memoryBytesPerSecond;   // to its own memory
    double linkBytesPerSecond;     // one way, to its neighbours in the node
    double networkBytesPerSecond;  // one way, its share of the usual network of such a node

    double memoryBytes() const { return static_cast<double>(mebibytes) * 1024 * 1024; }
    std::string title() const;  // "A100 80 GB"
};
std::span<const KnownDevice> knownDevices();

// The words of a name: small letters, cut at everything that is neither letter nor digit.
std::vector<std::string> nameWords(std::string_view name);
struct FamilyMatch {
    std::string_view family;  // empty where none begins here
    size_t words = 0;         // that it took
};
// "rtx" "4090" and "4090" both are family rtx4090; the longest match wins.
FamilyMatch familyAt(std::span<const std::string> words);

// As drivers spell it, "NVIDIA A100-SXM4-80GB"; of several memory sizes the one nearest to `memoryBytes`, or the
// largest where that is 0. Null for a device that is not known.
const KnownDevice* knownDevice(std::string_view driverName, double memoryBytes);

}  // namespace unmask
