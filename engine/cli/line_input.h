// SPDX-License-Identifier: Apache-2.0
// Complete lines from a descriptor that poll said can be read. Longer lines than the limit are dropped and told.
#pragma once

#include <string>
#include <vector>

namespace unmask {

class LineInput {
 public:
    explicit LineInput(int descriptor, size_t limit = size_t{1} << 20) : m_descriptor(descriptor), m_limit(limit) {}

    struct Line {
        std::string text;
        bool tooLong = false;
    };
    std::vector<Line> read();  // one read call: blocks when nothing is there
    bool ended() const { return m_ended; }

 private:
    int m_descriptor;
    size_t m_limit;
    std::string m_partial;
    bool m_dropping = false;
    bool m_ended = false;
};

}  // namespace unmask
