// SPDX-License-Identifier: Apache-2.0
#include "engine/data/packer.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/base/error.h"

namespace unmask {

namespace {

// Positions of `lengths` from longest to shortest, equal ones in their order (a counting sort: samples are many).
std::vector<uint32_t> longestFirst(std::span<const int32_t> lengths, int64_t rowLength) {
    std::vector<uint32_t> next(static_cast<size_t>(rowLength) + 2, 0);
    for (const int32_t length : lengths) {
        if (length < 1 || length > rowLength)
            throw Error{ErrorCode::internal, "[packer] sample of " + std::to_string(length) +
                                                 " tokens does not fit a row of " + std::to_string(rowLength)};
        ++next[static_cast<size_t>(rowLength - length) + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<uint32_t> order(lengths.size());
    for (size_t i = 0; i < lengths.size(); ++i)
        order[next[static_cast<size_t>(rowLength - lengths[i])]++] = static_cast<uint32_t>(i);
    return order;
}

}  // namespace

PackedRows packRows(std::span<const uint32_t> samples, std::span<const int32_t> lengths, int64_t rowLength) {
    const std::vector<uint32_t> order = longestFirst(lengths, rowLength);
    std::vector<uint32_t> rowOf(order.size());
    std::map<int64_t, std::vector<uint32_t>> open;  // free positions → rows, newest last
    uint32_t rows = 0;
    for (const uint32_t position : order) {
        const int64_t length = lengths[position];
        const auto best = open.lower_bound(length);
        uint32_t row = rows;
        int64_t left = rowLength - length;
        if (best == open.end()) {
            ++rows;
        } else {
            row = best->second.back();
            left = best->first - length;
            best->second.pop_back();
            if (best->second.empty())
                open.erase(best);
        }
        rowOf[position] = row;
        if (left > 0)
            open[left].push_back(row);
    }

    PackedRows packed;
    packed.rowStart.assign(size_t{rows} + 1, 0);
    for (const uint32_t row : rowOf)
        ++packed.rowStart[row + 1];
    std::partial_sum(packed.rowStart.begin(), packed.rowStart.end(), packed.rowStart.begin());
    packed.samples.resize(order.size());
    std::vector<uint32_t> next(packed.rowStart.begin(), packed.rowStart.end() - 1);
    for (const uint32_t position : order)
        packed.samples[next[rowOf[position]]++] = samples[position];
    return packed;
}

}  // namespace unmask
