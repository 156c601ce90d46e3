// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/series_buffer.h"

#include <cassert>
#include <cmath>

namespace unmask::ui {

void SeriesPiece::push(double step, double tokens, double active, double wall, double value) {
    axes[0].append(step);
    axes[1].append(tokens);
    axes[2].append(active);
    axes[3].append(wall);
    values.append(value);
}

void SeriesBuffer::append(const PointBatch& batch) {
    assert(batch.step.size() == batch.size() && batch.tokens.size() == batch.size());
    assert(batch.activeSeconds.size() == batch.size() && batch.wallSeconds.size() == batch.size());
    for (size_t i = 0; i < batch.size(); ++i)
        m_main.push(batch.step[i], batch.tokens[i], batch.activeSeconds[i], batch.wallSeconds[i], batch.value[i]);
    ++m_version;
}

void SeriesBuffer::clear() {
    const uint64_t version = m_version;
    *this = SeriesBuffer();
    m_version = version + 1;
}

void SeriesBuffer::resumeFrom(double step) {
    size_t keep = size();
    while (keep > 0 && axis(XAxis::step).at(keep - 1) > step)
        --keep;
    if (keep < size()) {
        SeriesPiece tail;
        for (size_t i = keep; i < size(); ++i)
            tail.push(m_main.axes[0].at(i), m_main.axes[1].at(i), m_main.axes[2].at(i), m_main.axes[3].at(i),
                      m_main.values.at(i));
        m_beforeResume.push_back(std::move(tail));
        for (Column& column : m_main.axes)
            column.truncate(keep);
        m_main.values.truncate(keep);
        m_smoother.clear();
    }
    std::erase_if(m_joints, [keep](size_t joint) { return joint >= keep; });
    if (keep > 0)
        m_joints.push_back(keep);
    ++m_version;
}

const ValueColumn& SeriesBuffer::smoothed(const Smoothing& smoothing, XAxis which) const {
    return m_smoother.update(smoothing, which, axis(which), m_main.values, m_version);
}

std::optional<size_t> SeriesBuffer::nearest(XAxis which, double x) const {
    const Column& column = axis(which);
    if (column.size() == 0 || !std::isfinite(x))
        return std::nullopt;
    const size_t right = column.lowerBound(x);
    if (right == 0)
        return 0;
    if (right == column.size())
        return right - 1;
    return std::abs(column.at(right) - x) < std::abs(x - column.at(right - 1)) ? right : right - 1;
}

size_t SeriesBuffer::bytes() const {
    size_t total = m_main.values.bytes() + m_smoother.bytes();
    for (const Column& column : m_main.axes)
        total += column.bytes();
    return total;
}

}  // namespace unmask::ui
