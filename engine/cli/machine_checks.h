// SPDX-License-Identifier: Apache-2.0
// What a machine has and lacks for Unmask, each as a sentence. Looks only; the one thing it writes is a probe file that
// it takes away again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/planner/hardware.h"

namespace unmask {

enum class CheckState { good, note, missing };  // note: worth knowing; missing: something will not work

struct MachineCheck {
    std::string topic;  // "LibTorch": also the key for programs
    CheckState state = CheckState::good;
    std::string text;
};
std::string_view checkStateWord(CheckState state);

std::vector<MachineCheck> checkMachine(const Hardware& hardware);

std::string torchVersion(const std::filesystem::path& torch);       // "2.11.0"; empty when unknown
std::string networkFileSystem(const std::filesystem::path& place);  // "NFS"; empty for a local one
// The first folder on the way to `place` that exists.
std::filesystem::path existingParent(const std::filesystem::path& place);

}  // namespace unmask
