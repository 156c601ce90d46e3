// SPDX-License-Identifier: Apache-2.0
// Which process a pid meant: pid alone is reused, so start time (field 22 of /proc/PID/stat) and boot id go with it.
#pragma once

#include <cstdint>
#include <string>

namespace unmask {

struct ProcessIdentity {
    int64_t pid = 0;
    uint64_t startTime = 0;  // clock ticks since boot
    std::string bootId;
    bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity ownIdentity();
std::string bootId();
enum class ProcessLife { alive, gone, otherBoot };
ProcessLife lifeOf(const ProcessIdentity& identity);  // a zombie counts as gone

}  // namespace unmask
