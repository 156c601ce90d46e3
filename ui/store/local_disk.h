// SPDX-License-Identifier: Apache-2.0
// SQLite's write-ahead log needs a disk of this computer. Homes on a file server get their index in a local folder.
#pragma once

#include <filesystem>

namespace unmask::ui {

bool isNetworkVolume(const std::filesystem::path& place);  // of the nearest folder that exists; may wait for the server

// A folder of this user alone below `root` (0700, not a link, owned by the user), made if missing; empty when that
// cannot be had.
std::filesystem::path privateLocalFolder(const std::filesystem::path& root = "/var/tmp");

}  // namespace unmask::ui
