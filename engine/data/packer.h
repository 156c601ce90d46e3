// SPDX-License-Identifier: Apache-2.0
// Samples into rows of fixed length, so that little is padding. Best fit, longest first; deterministic.
// Rows are made once and for all epochs: then an epoch has the same number of batches every time and any batch can be
// planned without planning the epochs before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unmask {

struct PackedRows {
    std::vector<uint32_t> rowStart;  // into `samples`; one more than rows
    std::vector<uint32_t> samples;   // what was given, in the order they stand in their rows

    int64_t rowCount() const { return static_cast<int64_t>(rowStart.size()) - 1; }
    std::span<const uint32_t> row(int64_t r) const {
        return {samples.data() + rowStart[static_cast<size_t>(r)],
                samples.data() + rowStart[static_cast<size_t>(r) + 1]};
    }
};

// lengths[i] belongs to samples[i], 1..rowLength. Samples of one length are taken in the order given.
PackedRows packRows(std::span<const uint32_t> samples, std::span<const int32_t> lengths, int64_t rowLength);

}  // namespace unmask
