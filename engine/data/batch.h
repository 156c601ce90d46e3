// SPDX-License-Identifier: Apache-2.0
// A global batch (who is in it and where) and the part of it that is computed at once (with its tokens).
#pragma once

#include <cstdint>
#include <vector>

namespace unmask {

struct SampleSlot {
    int64_t slot = 0;          // j, place in the global batch
    int64_t datasetIndex = 0;  // d, number of the sample in the store
    int32_t visit = 0;         // e, the epoch; 0xFFFF - draw in validation
    int32_t row = 0;           // of the batch it stands in
    int32_t begin = 0;         // first position in the row
    int32_t length = 0;        // tokens, after the variable-length cut
    bool operator==(const SampleSlot&) const = default;
};

// Slots are ordered by row, then by begin. The last batch of an epoch may have fewer rows.
struct GlobalBatch {
    int64_t step = 0;   // k
    int64_t epoch = 0;  // of training; the draw in validation
    int64_t rows = 0;
    int64_t length = 0;  // positions of a row: sequence_length
    std::vector<SampleSlot> slots;
    bool operator==(const GlobalBatch&) const = default;
};

struct MicroBatch {
    int64_t firstRow = 0;  // in the global batch
    int64_t rows = 0;
    int64_t length = 0;
    std::vector<int32_t> tokens;    // rows * length; the padding id where no sample stands
    std::vector<SampleSlot> slots;  // row counts from this micro-batch's first; slot stays global
};

}  // namespace unmask
