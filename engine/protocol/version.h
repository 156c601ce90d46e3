// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace unmask {

inline constexpr int kProtocolVersion = 1;   // of the bridge: hello, state and answer lines, commands
inline constexpr int kRunFormatVersion = 1;  // of run folders; a newer folder is refused politely
std::string_view codeVersion();              // "0.1.0 (a1b2c3d)"

}  // namespace unmask
