// SPDX-License-Identifier: Apache-2.0
// Settings of several runs side by side: rows are settings, columns the runs; by default only rows that differ.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/protocol/settings.h"

namespace unmask::ui {

class SettingDifferenceModel final : public QAbstractTableModel {
    Q_OBJECT

 public:
    struct Run {
        QString name;
        RunSpec spec;
    };
    enum Role { PathRole = Qt::UserRole + 1, DiffersRole, SectionRole };  // DiffersRole: from the first run

    explicit SettingDifferenceModel(QObject* parent = nullptr);
    void setRuns(std::vector<Run> runs);  // the first is the baseline
    void setOnlyDifferences(bool only);
    void setChinese(bool chinese);  // labels come from the field lists, which hold both languages

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;  // setting name, then one a run
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void retranslate();

 private:
    struct Row {
        const Setting* setting = nullptr;
        std::vector<QString> values;
        bool differs = false;
    };
    void rebuild();
    QString valueText(const Setting& setting, const Json& value) const;

    std::vector<Run> m_runs;
    std::vector<Row> m_rows;
    bool m_onlyDifferences = true;
    bool m_chinese = false;
};

}  // namespace unmask::ui
