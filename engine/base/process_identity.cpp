// SPDX-License-Identifier: Apache-2.0
#include "engine/base/process_identity.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace unmask {
namespace {
struct ProcessFacts {
    char state = 0;
    uint64_t startTime = 0;
};

// The command name may hold spaces and parentheses, so fields are counted after the last ')'.
bool readFacts(int64_t pid, ProcessFacts& facts) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(file, line))
        return false;
    const size_t close = line.rfind(')');
    if (close == std::string::npos)
        return false;
    std::istringstream fields(line.substr(close + 1));
    std::string word;
    for (int index = 3; fields >> word; ++index) {
        if (index == 3)
            facts.state = word[0];
        if (index == 22) {
            facts.startTime = std::stoull(word);
            return true;
        }
    }
    return false;
}
}  // namespace

std::string bootId() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

ProcessIdentity ownIdentity() {
    ProcessFacts facts;
    readFacts(::getpid(), facts);
    return {::getpid(), facts.startTime, bootId()};
}

ProcessLife lifeOf(const ProcessIdentity& identity) {
    if (identity.bootId != bootId())
        return ProcessLife::otherBoot;
    ProcessFacts facts;
    if (identity.pid <= 0 || !readFacts(identity.pid, facts) || facts.startTime != identity.startTime ||
        facts.state == 'Z' || facts.state == 'X')
        return ProcessLife::gone;
    return ProcessLife::alive;
}

}  // namespace unmask
