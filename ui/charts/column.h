// SPDX-License-Identifier: Apache-2.0
// A growing column of doubles in blocks of 256. A block whose values lie exactly on a line (steps and tokens nearly
// always do) keeps two numbers instead of 256, so a point of a series costs 24 bytes instead of 40.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace unmask::ui {

constexpr size_t kBlock = 256;

class Column {
 public:
    void append(double value);
    void truncate(size_t size);
    double at(size_t index) const;
    size_t size() const { return m_size; }
    bool ascending() const { return m_ascending; }  // never falls; then lowerBound may be used
    size_t lowerBound(double value) const;          // first index with at(index) >= value
    size_t bytes() const;

 private:
    struct Block {
        double start = 0;
        double stride = 0;
        std::unique_ptr<std::array<double, kBlock>> values;  // null: start + i * stride
    };

    std::vector<Block> m_blocks;
    size_t m_size = 0;
    bool m_ascending = true;
};

}  // namespace unmask::ui
