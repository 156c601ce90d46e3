// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/line_input.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace unmask {

std::vector<LineInput::Line> LineInput::read() {
    std::array<char, 65536> bytes;
    const ssize_t got = ::read(m_descriptor, bytes.data(), bytes.size());
    if (got < 0)
        m_ended = errno != EINTR && errno != EAGAIN;
    if (got == 0)
        m_ended = true;
    std::vector<Line> lines;
    for (ssize_t i = 0; i < got; ++i) {
        const char byte = bytes[static_cast<size_t>(i)];
        if (byte == '\n') {
            lines.push_back({std::move(m_partial), m_dropping});
            m_partial.clear();
            m_dropping = false;
        } else if (m_partial.size() >= m_limit) {
            m_dropping = true;
        } else {
            m_partial += byte;
        }
    }
    return lines;
}

}  // namespace unmask
