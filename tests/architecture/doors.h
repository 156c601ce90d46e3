// SPDX-License-Identifier: Apache-2.0
// Which room may include which (HACKING.md shows the plan). This is the one list; the test holds includes and CMake
// libraries to it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace unmask::architecture {

using Rooms = std::set<std::string, std::less<>>;

// Room → the rooms it may include, itself left out.
const std::map<std::string, Rooms, std::less<>>& doors();

// Rooms that must build in seconds, without LibTorch.
bool mayUseTorch(std::string_view room);

// What is wrong with the includes of one file, one sentence each.
std::vector<std::string> wrongIncludes(const SourceText& file);
// The same for the libraries named in a CMakeLists.txt.
std::vector<std::string> wrongLibraries(const SourceText& file);

}  // namespace unmask::architecture
