// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_table.h"

#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>
#include <limits>

#include "ui/charts/chart_state.h"
#include "ui/charts/chart_widget.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

ChartTableModel::ChartTableModel(ChartWidget* chart, const QString& seriesId, QObject* parent)
    : QAbstractTableModel(parent), m_chart(chart), m_series(seriesId) {
    reload();
}

void ChartTableModel::reload() {
    beginResetModel();
    const SeriesBuffer* buffer = m_chart ? m_chart->buffer(m_series) : nullptr;
    const size_t most = static_cast<size_t>(std::numeric_limits<int>::max());
    m_rows = buffer ? static_cast<int>(std::min(buffer->size(), most)) : 0;
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const SeriesBuffer* buffer = m_chart ? m_chart->buffer(m_series) : nullptr;
    if (!buffer || !index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const auto row = static_cast<size_t>(index.row());
    if (row >= buffer->size())  // the run went back to a checkpoint; reload is on its way
        return {};
    const ChartOptions& options = m_chart->options();
    switch (index.column()) {
        case step:
            return numbers::exact(buffer->axis(XAxis::step).at(row));
        case tokens:
            return numbers::exact(buffer->axis(XAxis::tokens).at(row));
        case activeTime:
            return numbers::preciseDuration(buffer->axis(XAxis::activeTime).at(row));
        case wallClock:
            return numbers::timestamp(buffer->axis(XAxis::wallClock).at(row));
        case raw:
            return numbers::significant(buffer->values().at(row), role == Qt::ToolTipRole ? 15 : 6);
        case smoothed:
            return numbers::significant(buffer->smoothed(options.smoothing, options.xAxis).at(row), 6);
        default:
            return {};
    }
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
        case step:
            return tr("Step");
        case tokens:
            return tr("Tokens");
        case activeTime:
            return tr("Active time");
        case wallClock:
            return tr("Time");
        case raw:
            return tr("Value");
        case smoothed:
            return tr("Smoothed");
        default:
            return {};
    }
}

void showChartTable(ChartWidget* chart, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(chart->title());
    auto* column = new QVBoxLayout(dialog);
    auto* series = new QComboBox(dialog);
    auto* table = new QTableView(dialog);
    series->setAccessibleName(ChartTableModel::tr("Series"));
    table->setAccessibleName(chart->title());
    series->addItems(chart->seriesIds());
    column->addWidget(series);
    column->addWidget(table, 1);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    const auto show = [=](const QString& id) {
        QAbstractItemModel* old = table->model();
        table->setModel(new ChartTableModel(chart, id, table));
        delete old;
    };
    QObject::connect(series, &QComboBox::currentTextChanged, dialog, show);
    show(series->currentText());
    QObject::connect(chart, &QObject::destroyed, dialog, &QDialog::close);
    dialog->resize(Style::instance().px(48), Style::instance().px(32));
    dialog->show();
}

}  // namespace unmask::ui
