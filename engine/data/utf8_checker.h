// SPDX-License-Identifier: Apache-2.0
// UTF-8 validation over pieces of a stream: overlong forms, surrogates and code points above U+10FFFF are invalid, and
// so is the NUL byte, which no text file holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask {

class Utf8Checker {
 public:
    // Offset in the whole stream of the first byte of the first bad sequence.
    std::optional<int64_t> feed(std::string_view piece);
    std::optional<int64_t> finish() const;  // a character that the end cuts off

 private:
    int64_t m_consumed = 0;
    int64_t m_start = 0;                        // of the character under way
    int m_missing = 0;                          // continuation bytes still to come
    unsigned char m_low = 0x80, m_high = 0xBF;  // range of the next one
};

}  // namespace unmask
