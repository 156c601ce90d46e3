// SPDX-License-Identifier: Apache-2.0
// Results of several runs side by side: the baseline's figures, and for every other run value, difference in percent
// and, where a direction is better, the word for it, so that colour is never needed.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/models/run_history.h"

namespace unmask::ui {

class CompareResultModel final : public QAbstractTableModel {
    Q_OBJECT
 public:
    explicit CompareResultModel(QObject* parent = nullptr);

    void setRuns(std::vector<RunRow> runs, int baseline);
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;  // name of the figure, then one a run
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // "+2.2 % worse"; empty where nothing can be said.
    static QString change(double value, double baseline, bool lowerIsBetter);

 private:
    std::vector<RunRow> m_runs;
    int m_baseline = 0;
};

}  // namespace unmask::ui
