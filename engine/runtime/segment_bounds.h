// SPDX-License-Identifier: Apache-2.0
// Segments as attention reads them: four numbers each, first query, end of queries, first key, end of keys.
#pragma once

#include <cstdint>
#include <span>

#include "engine/model/segment_layout.h"

namespace unmask {

// all: queries are the tokens of the segment. scored: queries are those of `scoredRows`, ascending, that lie in it, by
// their place in that list. Both have room for 4 · segments.size() numbers.
void writeSegmentBounds(std::span<const Segment> segments, std::span<const int64_t> scoredRows, int32_t* all,
                        int32_t* scored);

}  // namespace unmask
