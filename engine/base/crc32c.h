// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli), the checksum of each journal line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace unmask {
uint32_t crc32c(std::string_view bytes);
std::string crc32cHex(std::string_view bytes);  // 8 lower-case hex digits
}  // namespace unmask
