// SPDX-License-Identifier: Apache-2.0
// Where the samples lie in a micro-batch of packed rows. Tokens of one segment see each other and nobody else, and
// positions restart at 0 in each; tokens outside every segment are padding: no keys, no queries, zero attention.
#pragma once

#include <cstdint>
#include <vector>

namespace unmask {

struct Segment {
    int64_t begin = 0;   // flat index of its first token: row · length + position in the row
    int64_t length = 0;  // at least 1; never crosses a row
};

struct SegmentLayout {
    int64_t rows = 0;
    int64_t length = 0;             // tokens a row
    std::vector<Segment> segments;  // ascending, without overlap

    int64_t tokens() const { return rows * length; }
    // Every row one segment, as in plain batches.
    static SegmentLayout wholeRows(int64_t rows, int64_t length);
};

// Throws badInput where segments overlap, are not ascending, are empty or leave their row.
void checkSegments(const SegmentLayout& layout);

}  // namespace unmask
