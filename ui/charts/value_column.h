// SPDX-License-Identifier: Apache-2.0
// Values of a series with a pyramid over blocks of 256 points, so that an extreme over a million points reads thousands
// of blocks instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ui/charts/column.h"

namespace unmask::ui {

class ValueColumn {
 public:
    struct BlockStats {
        double min = std::numeric_limits<double>::infinity();  // of finite values
        double max = -std::numeric_limits<double>::infinity();
        uint16_t minAt = 0;  // offset of the first such value in the block
        uint16_t maxAt = 0;
        uint16_t finite = 0;
        bool operator==(const BlockStats&) const = default;
    };

    void reserve(size_t points) { m_values.reserve(points); }
    void append(double value);
    void append(std::span<const double> values);
    void truncate(size_t size);
    void clear();
    double at(size_t index) const { return m_values[index]; }
    const double* data() const { return m_values.data(); }
    size_t size() const { return m_values.size(); }
    const std::vector<BlockStats>& blocks() const { return m_blocks; }
    bool allFinite(size_t block) const;  // every point that the block has so far
    size_t bytes() const;

 private:
    void add(size_t index);
    void summariseBlock(size_t block);

    std::vector<double> m_values;
    std::vector<BlockStats> m_blocks;
};

}  // namespace unmask::ui
