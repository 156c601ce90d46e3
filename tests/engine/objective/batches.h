// SPDX-License-Identifier: Apache-2.0
// Hand-made batches for the tests of the objectives.
#pragma once

#include <vector>

#include "engine/data/batch.h"

namespace unmask::test {

struct Sample {
    int64_t index;
    int32_t length;
};

// One sample a row, token ids 10·row + position.
inline GlobalBatch batchOf(const std::vector<Sample>& samples, int64_t length, int64_t step = 0, int32_t visit = 0) {
    GlobalBatch batch{.step = step, .epoch = visit, .rows = static_cast<int64_t>(samples.size()), .length = length};
    for (size_t j = 0; j < samples.size(); ++j)
        batch.slots.push_back({.slot = static_cast<int64_t>(j),
                               .datasetIndex = samples[j].index,
                               .visit = visit,
                               .row = static_cast<int32_t>(j),
                               .begin = 0,
                               .length = samples[j].length});
    return batch;
}

inline MicroBatch microBatch(const GlobalBatch& batch, int64_t firstRow, int64_t rows) {
    MicroBatch micro{.firstRow = firstRow, .rows = rows, .length = batch.length};
    for (int64_t row = firstRow; row < firstRow + rows; ++row)
        for (int64_t i = 0; i < batch.length; ++i)
            micro.tokens.push_back(static_cast<int32_t>(10 * row + i));
    for (SampleSlot slot : batch.slots)
        if (slot.row >= firstRow && slot.row < firstRow + rows) {
            slot.row -= static_cast<int32_t>(firstRow);
            micro.slots.push_back(slot);
        }
    return micro;
}

}  // namespace unmask::test
