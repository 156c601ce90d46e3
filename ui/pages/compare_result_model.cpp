// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_result_model.h"

#include <QLocale>
#include <array>
#include <cmath>
#include <limits>

#include "engine/protocol/metric_names.h"
#include "ui/style/numbers.h"

namespace unmask::ui {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallestShownChange = 0.0005;  // of 1; below it the percentage would read 0.0

enum class Figure { bestValidation, lastValidation, loss, rate, step, tokens, elapsed, parameters };
enum class Direction { lower, higher, neither };

constexpr std::array kFigures{Figure::bestValidation, Figure::lastValidation, Figure::loss,    Figure::rate,
                              Figure::step,           Figure::tokens,         Figure::elapsed, Figure::parameters};

QString nameOf(Figure figure) {
    switch (figure) {
        case Figure::bestValidation:
            return CompareResultModel::tr("Best validation loss");
        case Figure::lastValidation:
            return CompareResultModel::tr("Last validation loss");
        case Figure::loss:
            return CompareResultModel::tr("Last loss");
        case Figure::rate:
            return CompareResultModel::tr("Speed");
        case Figure::step:
            return CompareResultModel::tr("Steps");
        case Figure::tokens:
            return CompareResultModel::tr("Tokens");
        case Figure::elapsed:
            return CompareResultModel::tr("Time trained");
        case Figure::parameters:
            return CompareResultModel::tr("Parameters");
    }
    return {};
}

double valueOf(const RunRow& row, Figure figure) {
    switch (figure) {
        case Figure::bestValidation:
            return row.bestValue(metric::kValidationLoss);
        case Figure::lastValidation:
            return row.lastValue(metric::kValidationLoss);
        case Figure::loss:
            return row.lastValue(metric::kTrainLoss);
        case Figure::rate:
            return row.lastValue(metric::kTokensPerSecond);
        case Figure::step:
            return static_cast<double>(row.status.step);
        case Figure::tokens:
            return row.tokens > 0 ? static_cast<double>(row.tokens) : kUnknown;
        case Figure::elapsed:
            return row.elapsedSeconds > 0 ? row.elapsedSeconds : kUnknown;
        case Figure::parameters:
            return row.parameters > 0 ? static_cast<double>(row.parameters) : kUnknown;
    }
    return kUnknown;
}

QString textOf(double value, Figure figure) {
    if (std::isnan(value))
        return numbers::unknown();
    switch (figure) {
        case Figure::bestValidation:
        case Figure::lastValidation:
        case Figure::loss:
            return numbers::loss(value);
        case Figure::rate:
            return numbers::tokenRate(value);
        case Figure::step:
            return numbers::exact(value);
        case Figure::elapsed:
            return numbers::duration(value);
        default:
            return numbers::count(value);
    }
}

Direction directionOf(Figure figure) {
    switch (figure) {
        case Figure::bestValidation:
        case Figure::lastValidation:
        case Figure::loss:
            return Direction::lower;
        case Figure::rate:
            return Direction::higher;
        default:
            return Direction::neither;
    }
}

}  // namespace

CompareResultModel::CompareResultModel(QObject* parent) : QAbstractTableModel(parent) {}

void CompareResultModel::setRuns(std::vector<RunRow> runs, int baseline) {
    beginResetModel();
    m_runs = std::move(runs);
    m_baseline = baseline;
    endResetModel();
}

void CompareResultModel::retranslate() {
    beginResetModel();
    endResetModel();
}

QString CompareResultModel::change(double value, double baseline, bool lowerIsBetter) {
    if (!std::isfinite(value) || !std::isfinite(baseline) || baseline == 0)
        return {};
    const double share = (value - baseline) / std::abs(baseline);
    if (std::abs(share) < kSmallestShownChange)
        return tr("same");
    const QString percent = (share > 0 ? QStringLiteral("+") : QString()) + numbers::percent(share);
    return (share < 0) == lowerIsBetter ? tr("%1 better").arg(percent) : tr("%1 worse").arg(percent);
}

int CompareResultModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || m_runs.empty() ? 0 : static_cast<int>(kFigures.size());
}

int CompareResultModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size()) + 1;
}

QVariant CompareResultModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const Figure figure = kFigures[static_cast<size_t>(index.row())];
    if (index.column() == 0)
        return nameOf(figure);
    const int run = index.column() - 1;
    const double value = valueOf(m_runs[static_cast<size_t>(run)], figure);
    const QString text = textOf(value, figure);
    const Direction direction = directionOf(figure);
    if (run == m_baseline || direction == Direction::neither)
        return text;
    const double baseline = valueOf(m_runs[static_cast<size_t>(m_baseline)], figure);
    const QString difference = change(value, baseline, direction == Direction::lower);
    return difference.isEmpty() ? text : tr("%1  (%2)").arg(text, difference);
}

QVariant CompareResultModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    if (section == 0)
        return tr("Result");
    const RunRow& row = m_runs[static_cast<size_t>(section - 1)];
    const QString name = row.name.isEmpty() ? row.id : row.name;
    return section - 1 == m_baseline ? tr("★ %1").arg(name) : name;
}

}  // namespace unmask::ui
