// SPDX-License-Identifier: Apache-2.0
// Where things live on this computer; every one can be set by an environment variable.
#pragma once

#include <filesystem>
#include <string>

namespace unmask {

std::filesystem::path runsFolder();        // UNMASK_RUNS, else ~/unmask/runs
std::filesystem::path cacheFolder();       // UNMASK_CACHE, else ~/.cache/unmask
std::filesystem::path dataHome();          // $XDG_DATA_HOME/unmask, else ~/.local/share/unmask
std::filesystem::path configHome();        // $XDG_CONFIG_HOME/unmask, else ~/.config/unmask
std::filesystem::path executableFolder();  // of the running program, through /proc/self/exe

}  // namespace unmask
