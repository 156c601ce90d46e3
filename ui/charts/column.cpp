// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/column.h"

namespace unmask::ui {

void Column::append(double value) {
    if (m_size > 0 && !(value >= at(m_size - 1)))
        m_ascending = false;
    const size_t offset = m_size % kBlock;
    if (offset == 0)
        m_blocks.emplace_back();
    Block& block = m_blocks.back();
    if (!block.values) {
        if (offset == 0)
            block.start = value;
        else if (offset == 1)
            block.stride = value - block.start;
        if (block.start + static_cast<double>(offset) * block.stride != value) {  // NaN lands here too
            auto values = std::make_unique<std::array<double, kBlock>>();
            for (size_t i = 0; i < offset; ++i)
                (*values)[i] = block.start + static_cast<double>(i) * block.stride;
            block.values = std::move(values);
        }
    }
    if (block.values)
        (*block.values)[offset] = value;
    ++m_size;
}

void Column::truncate(size_t size) {
    if (size >= m_size)
        return;
    m_size = size;
    m_blocks.resize((size + kBlock - 1) / kBlock);
    if (!m_blocks.empty() && !m_blocks.back().values && m_size % kBlock == 1)
        m_blocks.back().stride = 0;
}

double Column::at(size_t index) const {
    const Block& block = m_blocks[index / kBlock];
    const size_t offset = index % kBlock;
    return block.values ? (*block.values)[offset] : block.start + static_cast<double>(offset) * block.stride;
}

size_t Column::lowerBound(double value) const {
    size_t low = 0;
    size_t high = m_size;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (at(middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t Column::bytes() const {
    size_t total = m_blocks.capacity() * sizeof(Block);
    for (const Block& block : m_blocks)
        if (block.values)
            total += sizeof(*block.values);
    return total;
}

}  // namespace unmask::ui
