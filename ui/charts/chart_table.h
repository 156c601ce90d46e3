// SPDX-License-Identifier: Apache-2.0
// The points of a chart as a table, for screen readers and for reading single values.
#pragma once

#include <QAbstractTableModel>
#include <QPointer>

namespace unmask::ui {

class ChartWidget;

// A window on the buffer of one series; it reads, and copies nothing.
class ChartTableModel final : public QAbstractTableModel {
    Q_OBJECT
 public:
    enum Column { step, tokens, activeTime, wallClock, raw, smoothed, columnCount_ };

    ChartTableModel(ChartWidget* chart, const QString& seriesId, QObject* parent = nullptr);
    void reload();  // the series has grown

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    QPointer<ChartWidget> m_chart;
    QString m_series;
    int m_rows = 0;
};

void showChartTable(ChartWidget* chart, QWidget* parent);

}  // namespace unmask::ui
