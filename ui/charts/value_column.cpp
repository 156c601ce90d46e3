// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/value_column.h"

#include <cmath>

namespace unmask::ui {

void ValueColumn::append(double value) {
    m_values.push_back(value);
    add(m_values.size() - 1);
}

void ValueColumn::add(size_t index) {
    const size_t block = index / kBlock;
    if (block == m_blocks.size())
        m_blocks.emplace_back();
    const double value = m_values[index];
    if (!std::isfinite(value))
        return;
    BlockStats& stats = m_blocks[block];
    const auto offset = static_cast<uint16_t>(index % kBlock);
    ++stats.finite;
    if (value < stats.min) {
        stats.min = value;
        stats.minAt = offset;
    }
    if (value > stats.max) {
        stats.max = value;
        stats.maxAt = offset;
    }
}

void ValueColumn::truncate(size_t size) {
    if (size >= m_values.size())
        return;
    m_values.resize(size);
    m_blocks.resize((size + kBlock - 1) / kBlock);
    if (m_blocks.empty())
        return;
    m_blocks.back() = {};
    for (size_t i = (m_blocks.size() - 1) * kBlock; i < size; ++i)
        add(i);
}

void ValueColumn::clear() {
    m_values.clear();
    m_blocks.clear();
}

size_t ValueColumn::bytes() const {
    return m_values.capacity() * sizeof(double) + m_blocks.capacity() * sizeof(BlockStats);
}

}  // namespace unmask::ui
