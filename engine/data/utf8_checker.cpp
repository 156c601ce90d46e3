// SPDX-License-Identifier: Apache-2.0
#include "engine/data/utf8_checker.h"

#include <cstring>

namespace unmask {

namespace {

// Length of the run of bytes 0x01-0x7F at the front, eight at a time.
size_t plainRun(const char* bytes, size_t count) {
    size_t done = 0;
    while (done + 8 <= count) {
        uint64_t word;
        std::memcpy(&word, bytes + done, 8);
        const uint64_t zeroes = (word - 0x0101010101010101u) & ~word;  // high bit of each zero byte
        if (((word | zeroes) & 0x8080808080808080u) != 0)
            break;
        done += 8;
    }
    while (done < count && bytes[done] > 0)
        ++done;
    return done;
}

}  // namespace

std::optional<int64_t> Utf8Checker::feed(std::string_view piece) {
    size_t at = 0;
    while (at < piece.size()) {
        if (m_missing == 0) {
            at += plainRun(piece.data() + at, piece.size() - at);
            if (at == piece.size())
                break;
            m_start = m_consumed + static_cast<int64_t>(at);
            const auto lead = static_cast<unsigned char>(piece[at++]);
            if (lead < 0xC2 || lead > 0xF4)
                return m_start;
            m_missing = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
            m_low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            m_high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
            continue;
        }
        const auto next = static_cast<unsigned char>(piece[at]);
        if (next < m_low || next > m_high)
            return m_start;
        ++at;
        --m_missing;
        m_low = 0x80;
        m_high = 0xBF;
    }
    m_consumed += static_cast<int64_t>(piece.size());
    return std::nullopt;
}

std::optional<int64_t> Utf8Checker::finish() const {
    return m_missing > 0 ? std::optional(m_start) : std::nullopt;
}

}  // namespace unmask
