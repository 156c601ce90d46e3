// SPDX-License-Identifier: Apache-2.0
#include "engine/model/segment_layout.h"

#include <string>

#include "engine/base/error.h"

namespace unmask {

SegmentLayout SegmentLayout::wholeRows(int64_t rows, int64_t length) {
    SegmentLayout layout{rows, length, {}};
    for (int64_t row = 0; row < rows; ++row)
        layout.segments.push_back({row * length, length});
    return layout;
}

void checkSegments(const SegmentLayout& layout) {
    int64_t end = 0;
    for (size_t i = 0; i < layout.segments.size(); ++i) {
        const Segment& segment = layout.segments[i];
        const bool inside = segment.length >= 1 && segment.begin >= end &&
                            segment.begin + segment.length <= layout.tokens() &&
                            segment.begin / layout.length == (segment.begin + segment.length - 1) / layout.length;
        if (!inside)
            throw Error{ErrorCode::badInput,
                        "[segments] segment " + std::to_string(i) + " (tokens " + std::to_string(segment.begin) +
                            " to " + std::to_string(segment.begin + segment.length) +
                            ") overlaps another, is empty or leaves its row of " + std::to_string(layout.length)};
        end = segment.begin + segment.length;
    }
}

}  // namespace unmask
