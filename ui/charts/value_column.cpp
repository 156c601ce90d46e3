// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/value_column.h"

#include <algorithm>
#include <cmath>

namespace unmask::ui {

void ValueColumn::append(double value) {
    m_values.push_back(value);
    add(m_values.size() - 1);
}

void ValueColumn::append(std::span<const double> values) {
    size_t i = m_values.size();
    m_values.insert(m_values.end(), values.begin(), values.end());
    for (; i < m_values.size() && i % kBlock != 0; ++i)
        add(i);
    for (; i + kBlock <= m_values.size(); i += kBlock)
        summariseBlock(i / kBlock);
    for (; i < m_values.size(); ++i)
        add(i);
}

// The same as add() of each point of a whole new block, at a fraction of the time.
void ValueColumn::summariseBlock(size_t block) {
    const double* values = m_values.data() + block * kBlock;
    size_t finite = 0;
    std::array<double, 4> least;
    std::array<double, 4> most;
    least.fill(std::numeric_limits<double>::infinity());
    most.fill(-std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < kBlock; i += 4)
        for (size_t lane = 0; lane < 4; ++lane) {  // four chains, or each point would wait for the one before
            const double value = values[i + lane];
            finite += std::isfinite(value);
            least[lane] = value < least[lane] ? value : least[lane];
            most[lane] = value > most[lane] ? value : most[lane];
        }
    if (finite < kBlock) {
        for (size_t i = 0; i < kBlock; ++i)
            add(block * kBlock + i);
        return;
    }
    BlockStats& stats = m_blocks.emplace_back();
    stats.min = *std::min_element(least.begin(), least.end());
    stats.max = *std::max_element(most.begin(), most.end());
    stats.minAt = static_cast<uint16_t>(std::find(values, values + kBlock, stats.min) - values);
    stats.maxAt = static_cast<uint16_t>(std::find(values, values + kBlock, stats.max) - values);
    stats.finite = kBlock;
}

bool ValueColumn::allFinite(size_t block) const {
    return m_blocks[block].finite == std::min(kBlock, m_values.size() - block * kBlock);
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
