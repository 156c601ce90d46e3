// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_state.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

#include "ui/style/numbers.h"

namespace unmask::ui {
namespace {

constexpr size_t kPercentileSample = 4096;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ChartSummary)
};

double meanOf(const ValueColumn& values, size_t begin, size_t end) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = begin; i < end; ++i)
        if (std::isfinite(values.at(i))) {
            sum += values.at(i);
            ++count;
        }
    return count > 0 ? sum / static_cast<double>(count) : NAN;
}

QString trendOf(const ValueColumn& values) {
    const size_t size = values.size();
    const size_t window = std::clamp<size_t>(size / 10, 1, 500);
    if (size < 2 * window || size < 4)
        return Words::tr("too short to judge");
    const double recent = meanOf(values, size - window, size);
    const double before = meanOf(values, size - 2 * window, size - window);
    const auto spread = percentileRange(values, 0, size, 0.05, false);
    if (!std::isfinite(recent) || !std::isfinite(before) || !spread)
        return Words::tr("with values that are not numbers");
    const double threshold = std::max(spread->span() * 0.005, std::abs(recent) * 1e-4);
    if (recent < before - threshold)
        return Words::tr("falling");
    return recent > before + threshold ? Words::tr("rising") : Words::tr("steady");
}

}  // namespace

bool ChartSeries::Cached::fits(uint64_t wantedVersion, XAxis wantedAxis, const Smoothing& wanted,
                               const DecimationView& v) const {
    return valid && version == wantedVersion && axis == wantedAxis && smoothing == wanted && view.from == v.from &&
           view.to == v.to && view.columns == v.columns && view.logarithmic == v.logarithmic;
}

const Decimated& ChartSeries::raw(XAxis axis, const DecimationView& view) const {
    if (!m_raw.fits(buffer.version(), axis, {}, view))
        m_raw = {true, buffer.version(), axis, {}, view, decimate(buffer.axis(axis), buffer.values(), view)};
    return m_raw.result;
}

const Decimated& ChartSeries::smoothed(const Smoothing& smoothing, XAxis axis, const DecimationView& view) const {
    if (!m_smoothed.fits(buffer.version(), axis, smoothing, view))
        m_smoothed = {true, buffer.version(),
                      axis, smoothing,
                      view, decimate(buffer.axis(axis), buffer.smoothed(smoothing, axis), view)};
    return m_smoothed.result;
}

ChartSeries* ChartState::find(const QString& id) const {
    for (const auto& one : series)
        if (one->id == id)
            return one.get();
    return nullptr;
}

std::optional<Range> ChartState::dataRange() const {
    std::optional<Range> range;
    const auto include = [&](double x) {
        if (!std::isfinite(x))
            return;
        if (!range)
            range = Range{x, x};
        range->from = std::min(range->from, x);
        range->to = std::max(range->to, x);
    };
    for (const auto& one : series) {
        const Column& x = one->buffer.axis(options.xAxis);
        if (!one->visible || x.size() == 0)
            continue;
        if (x.ascending()) {
            include(x.at(0));
            include(x.at(x.size() - 1));
        } else {
            for (size_t i = 0; i < x.size(); ++i)
                include(x.at(i));
        }
        for (const SeriesPiece& piece : one->buffer.beforeResume())
            include(piece.axis(options.xAxis).at(piece.values.size() - 1));
    }
    return range;
}

Range ChartState::xRange() const {
    if (xZoom)
        return *xZoom;
    Range range = dataRange().value_or(Range{0, 1});
    if (range.span() <= 0) {
        range.from -= 0.5;
        range.to += 0.5;
    }
    return range;
}

bool ChartState::smooths(const ChartSeries& one) const {
    return one.look.smoothed && options.smoothing.kind != SmoothingKind::none && options.smoothing.weight > 0;
}

const ValueColumn& ChartState::shownValues(const ChartSeries& one) const {
    return smooths(one) ? one.buffer.smoothed(options.smoothing, options.xAxis) : one.buffer.values();
}

double ChartState::xOfStep(double step) const {
    if (options.xAxis == XAxis::step)
        return step;
    for (const auto& one : series)
        if (one->visible)
            if (const auto index = one->buffer.nearest(XAxis::step, step))
                return one->buffer.axis(options.xAxis).at(*index);
    return NAN;
}

QString ChartState::summary() const {
    QStringList parts;
    for (const auto& one : series) {
        const size_t size = one->buffer.size();
        if (!one->visible || size == 0)
            continue;
        parts << Words::tr("%1 %2, %3, %4")
                     .arg(one->look.name, numbers::loss(one->buffer.values().at(size - 1)),
                          trendOf(one->buffer.values()), Words::tr("%Ln point(s)", nullptr, static_cast<int>(size)));
    }
    return parts.isEmpty() ? Words::tr("No data yet") : parts.join(QStringLiteral("; "));
}

std::optional<Range> percentileRange(const ValueColumn& values, size_t begin, size_t end, double lowShare,
                                     bool logarithmic) {
    std::vector<double> sample;
    const size_t count = end - begin;
    const double stride = std::max(1.0, static_cast<double>(count) / static_cast<double>(kPercentileSample));
    sample.reserve(std::min(count, kPercentileSample));
    for (double place = 0; place < static_cast<double>(count); place += stride) {
        const double value = values.at(begin + static_cast<size_t>(place));
        if (std::isfinite(value) && (!logarithmic || value > 0))
            sample.push_back(logarithmic ? std::log10(value) : value);
    }
    if (sample.empty())
        return std::nullopt;
    const auto at = [&](double share) {
        const auto index = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(sample.size() - 1)));
        std::nth_element(sample.begin(), sample.begin() + index, sample.end());
        return sample[static_cast<size_t>(index)];
    };
    const double low = at(lowShare);
    return Range{low, at(1 - lowShare)};
}

Outside countOutside(const ValueColumn& values, size_t begin, size_t end, double low, double high) {
    Outside outside;
    for (size_t i = begin; i < end;) {
        const ValueColumn::BlockStats& block = values.blocks()[i / kBlock];
        if (i % kBlock == 0 && i + kBlock <= end && block.min >= low && block.max <= high) {
            i += kBlock;
            continue;
        }
        if (i % kBlock == 0 && i + kBlock <= end && values.allFinite(i / kBlock)) {
            const double* whole = values.data() + i;
            for (size_t j = 0; j < kBlock; ++j) {  // a fixed count and no branch: the compiler takes several at once
                outside.above += whole[j] > high;
                outside.below += whole[j] < low;
            }
            i += kBlock;
            continue;
        }
        outside.above += values.at(i) > high && std::isfinite(values.at(i));
        outside.below += values.at(i) < low && std::isfinite(values.at(i));
        ++i;
    }
    return outside;
}

}  // namespace unmask::ui
