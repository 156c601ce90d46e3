// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/decimation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace unmask::ui {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

// What one pixel column holds: indices of its first, least, greatest and last good value, and what was bad in it.
struct PixelColumn {
    size_t first = kNone;
    size_t least = kNone;
    size_t greatest = kNone;
    size_t last = kNone;
    double min = 0;
    double max = 0;
    BadMark bad;
    bool anyBad = false;
    bool beginsBad = false;
    bool endsBad = false;
    bool empty = true;
};

class Decimator {
 public:
    Decimator(const Column& x, const ValueColumn& y, const DecimationView& view) : m_x(x), m_y(y), m_view(view) {}

    Decimated run() {
        m_x.ascending() ? runAscending() : runScattered();
        backfillMarks();
        collectLonePoints();
        return std::move(m_out);
    }

 private:
    void runAscending() {
        size_t begin = m_x.lowerBound(m_view.from);
        const size_t end = m_x.lowerBound(std::nextafter(m_view.to, INFINITY));
        m_out.points = end - begin;
        addNeighbour(begin, -1);
        const double width = (m_view.to - m_view.from) / m_view.columns;
        for (int pixel = 0; begin < end; ++pixel) {
            // The last column takes everything that is left, rounding included.
            const double edge = m_view.from + width * (pixel + 1);
            size_t next = pixel + 1 >= m_view.columns ? end : gallop(begin, end, edge);
            if (next > begin) {
                PixelColumn column;
                addRange(column, begin, next);
                emitColumn(column);
            } else {  // empty columns are jumped over at once
                const double jump = std::floor((m_x.at(begin) - m_view.from) / width);
                pixel = std::max(pixel, std::min(static_cast<int>(jump), m_view.columns - 1) - 1);
            }
            begin = next;
        }
        addNeighbour(end, 0);
    }

    // First index in [begin, end) whose x is at or beyond the edge; near ones are found in few steps.
    size_t gallop(size_t begin, size_t end, double edge) const {
        size_t reach = 1;
        size_t low = begin;
        while (low + reach < end && m_x.at(low + reach) < edge) {
            low += reach;
            reach *= 2;
        }
        size_t high = std::min(end, low + reach);
        if (m_x.at(low) >= edge)
            return low;
        while (low + 1 < high) {
            const size_t middle = (low + high) / 2;
            (m_x.at(middle) < edge ? low : high) = middle;
        }
        return high;
    }

    // The point just outside the view, so that the line reaches the border.
    void addNeighbour(size_t index, int offset) {
        if (offset < 0 && index == 0)
            return;
        const size_t at = index + static_cast<size_t>(offset);
        if (at >= m_y.size() || m_view.from >= m_view.to)
            return;
        PixelColumn column;
        addPoint(column, at);
        column.anyBad = false;  // no marks outside
        emitColumn(column);
    }

    // Time can run backwards on a wall clock that was set: points are taken in their order.
    void runScattered() {
        const double width = (m_view.to - m_view.from) / m_view.columns;
        PixelColumn column;
        int current = 0;
        for (size_t i = 0; i < m_y.size(); ++i) {
            const double place = std::floor((m_x.at(i) - m_view.from) / width);
            const int pixel = static_cast<int>(std::clamp(place, -1.0, static_cast<double>(m_view.columns)));
            if (pixel >= 0 && pixel < m_view.columns)
                ++m_out.points;
            if (!column.empty && pixel != current) {
                emitColumn(column);
                column = {};
            }
            current = pixel;
            addPoint(column, i);
        }
        emitColumn(column);
    }

    void addRange(PixelColumn& column, size_t begin, size_t end) {
        size_t i = begin;
        while (i < end) {
            if (i % kBlock == 0 && i + kBlock <= end && addBlock(column, i)) {
                i += kBlock;
                continue;
            }
            const size_t blockEnd = std::min(end, (i / kBlock + 1) * kBlock);
            if (allDrawable(i / kBlock)) {
                addDrawable(column, i, blockEnd);
                i = blockEnd;
            } else {
                while (i < blockEnd)
                    addPoint(column, i++);
            }
        }
    }

    bool allDrawable(size_t block) const {
        return m_y.allFinite(block) && !(m_view.logarithmic && m_y.blocks()[block].min <= 0);
    }

    // Part of a block in which nothing needs a mark.
    void addDrawable(PixelColumn& column, size_t begin, size_t end) {
        const double* values = m_y.data();
        double least = values[begin];
        double greatest = least;
        for (size_t i = begin + 1; i < end; ++i) {
            least = std::min(least, values[i]);
            greatest = std::max(greatest, values[i]);
        }
        if (column.first == kNone)
            column.first = begin;
        if (column.least == kNone || least < column.min)
            take(column, static_cast<size_t>(std::find(values + begin, values + end, least) - values), least);
        if (column.greatest == kNone || greatest > column.max)
            take(column, static_cast<size_t>(std::find(values + begin, values + end, greatest) - values), greatest);
        column.last = end - 1;
        column.empty = false;
        column.endsBad = false;
    }

    // A whole block through its summary; refused when something in it needs a mark.
    bool addBlock(PixelColumn& column, size_t begin) {
        const ValueColumn::BlockStats& stats = m_y.blocks()[begin / kBlock];
        if (!allDrawable(begin / kBlock))
            return false;
        if (column.first == kNone)
            column.first = begin;
        take(column, begin + stats.minAt, stats.min);
        take(column, begin + stats.maxAt, stats.max);
        column.last = begin + kBlock - 1;
        column.empty = false;
        column.endsBad = false;
        return true;
    }

    void addPoint(PixelColumn& column, size_t index) {
        const double value = m_y.at(index);
        const bool notPositive = m_view.logarithmic && value <= 0 && std::isfinite(value);
        if (!std::isfinite(value) || notPositive) {
            if (!column.anyBad)
                column.bad.x = m_x.at(index);
            column.bad.nan |= std::isnan(value);
            column.bad.plusInfinity |= value == INFINITY;
            column.bad.minusInfinity |= value == -INFINITY;
            column.bad.notPositive |= notPositive;
            column.anyBad = true;
            column.beginsBad |= column.empty;
            column.endsBad = true;
            column.empty = false;
            return;
        }
        if (column.first == kNone)
            column.first = index;
        take(column, index, value);
        column.last = index;
        column.empty = false;
        column.endsBad = false;
    }

    static void take(PixelColumn& column, size_t index, double value) {
        if (column.least == kNone || value < column.min) {
            column.min = value;
            column.least = index;
        }
        if (column.greatest == kNone || value > column.max) {
            column.max = value;
            column.greatest = index;
        }
    }

    double drawn(size_t index) const {
        const double value = m_y.at(index);
        return m_view.logarithmic ? std::log10(value) : value;
    }

    void breakLine() {
        if (!m_out.line.isEmpty() && std::isfinite(m_out.line.constLast().y()))
            m_out.line.append(QPointF(m_out.line.constLast().x(), NAN));
    }

    void emitColumn(const PixelColumn& column) {
        if (column.empty)
            return;
        if (column.anyBad) {
            BadMark mark = column.bad;
            mark.y = m_lastY.value_or(NAN);
            if (column.first != kNone && !m_lastY)
                mark.y = drawn(column.first);
            m_out.marks.push_back(mark);
        }
        if (column.beginsBad)
            breakLine();
        if (column.first != kNone) {
            std::array<size_t, 4> order{column.first, column.least, column.greatest, column.last};
            if (order[1] > order[2])
                std::swap(order[1], order[2]);
            size_t before = kNone;
            for (const size_t index : order) {
                if (index == before)
                    continue;
                m_out.line.append(QPointF(m_x.at(index), drawn(index)));
                before = index;
            }
            m_lastY = m_out.line.constLast().y();
        }
        if (column.endsBad)
            breakLine();
    }

    // Bad values before the first good one are marked at the height of that one.
    void backfillMarks() {
        double firstGood = NAN;
        for (const QPointF& point : m_out.line)
            if (std::isfinite(point.y())) {
                firstGood = point.y();
                break;
            }
        for (BadMark& mark : m_out.marks) {
            if (std::isfinite(mark.y))
                return;
            mark.y = firstGood;
        }
    }

    void collectLonePoints() {
        const QList<QPointF>& line = m_out.line;
        const auto good = [&](qsizetype i) { return i >= 0 && i < line.size() && std::isfinite(line[i].y()); };
        for (qsizetype i = 0; i < line.size(); ++i)
            if (good(i) && !good(i - 1) && !good(i + 1))
                m_out.lonePoints.append(line[i]);
    }

    const Column& m_x;
    const ValueColumn& m_y;
    const DecimationView& m_view;
    Decimated m_out;
    std::optional<double> m_lastY;
};

}  // namespace

Decimated decimate(const Column& x, const ValueColumn& y, const DecimationView& view) {
    if (y.size() == 0 || view.columns <= 0 || !(view.from <= view.to))
        return {};
    return Decimator(x, y, view).run();
}

ColumnStats statsBetween(const Column& x, const ValueColumn& y, double from, double to) {
    ColumnStats stats;
    stats.min = INFINITY;
    stats.max = -INFINITY;
    const size_t begin = x.ascending() ? x.lowerBound(from) : 0;
    for (size_t i = begin; i < y.size(); ++i) {
        const double place = x.at(i);
        if (place > to && x.ascending())
            break;
        if (place < from || place > to)
            continue;
        const double value = y.at(i);
        if (!std::isfinite(value)) {
            ++stats.bad;
            continue;
        }
        ++stats.count;
        stats.min = std::min(stats.min, value);
        stats.max = std::max(stats.max, value);
    }
    return stats;
}

}  // namespace unmask::ui
