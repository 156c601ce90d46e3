// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/segment_bounds.h"

#include <algorithm>

namespace unmask {

void writeSegmentBounds(std::span<const Segment> segments, std::span<const int64_t> scoredRows, int32_t* all,
                        int32_t* scored) {
    auto next = scoredRows.begin();
    const auto place = [&](auto row) { return static_cast<int32_t>(row - scoredRows.begin()); };
    for (const Segment& segment : segments) {
        const auto first = static_cast<int32_t>(segment.begin);
        const auto last = static_cast<int32_t>(segment.begin + segment.length);
        const auto from = std::lower_bound(next, scoredRows.end(), segment.begin);
        next = std::lower_bound(from, scoredRows.end(), segment.begin + segment.length);
        for (const int32_t value : {first, last, first, last})
            *all++ = value;
        for (const int32_t value : {place(from), place(next), first, last})
            *scored++ = value;
    }
}

}  // namespace unmask
