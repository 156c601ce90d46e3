// SPDX-License-Identifier: Apache-2.0
#include "engine/base/crc32c.h"

#include <array>

namespace unmask {
namespace {
// Slicing by 8: about 1 GB/s, far above what a journal writes, without needing SSE 4.2.
constexpr auto makeTables() {
    std::array<std::array<uint32_t, 256>, 8> tables{};
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) ? 0x82F63B78u : 0u);
        tables[0][i] = value;
    }
    for (uint32_t i = 0; i < 256; ++i)
        for (size_t t = 1; t < 8; ++t)
            tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xFF];
    return tables;
}
constexpr auto kTables = makeTables();
}  // namespace

uint32_t crc32c(std::string_view bytes) {
    uint32_t crc = 0xFFFFFFFFu;
    const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
    size_t left = bytes.size();
    while (left >= 8) {
        const uint32_t low = crc ^ (uint32_t{p[0]} | uint32_t{p[1]} << 8 | uint32_t{p[2]} << 16 | uint32_t{p[3]} << 24);
        crc = kTables[7][low & 0xFF] ^ kTables[6][(low >> 8) & 0xFF] ^ kTables[5][(low >> 16) & 0xFF] ^
              kTables[4][low >> 24] ^ kTables[3][p[4]] ^ kTables[2][p[5]] ^ kTables[1][p[6]] ^ kTables[0][p[7]];
        p += 8;
        left -= 8;
    }
    while (left-- > 0)
        crc = (crc >> 8) ^ kTables[0][(crc ^ *p++) & 0xFF];
    return ~crc;
}

std::string crc32cHex(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const uint32_t crc = crc32c(bytes);
    std::string text(8, '0');
    for (int i = 0; i < 8; ++i)
        text[static_cast<size_t>(i)] = kDigits[(crc >> (28 - 4 * i)) & 0xF];
    return text;
}

}  // namespace unmask
