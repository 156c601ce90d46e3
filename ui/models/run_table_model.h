// SPDX-License-Identifier: Apache-2.0
// All runs as a table; rows follow the store by themselves. RunFilterProxy sorts and filters it.
#pragma once

#include <QAbstractTableModel>
#include <QHash>

#include "ui/store/run_row.h"

namespace unmask::ui {

class RunStore;

class RunTableModel final : public QAbstractTableModel {
    Q_OBJECT

 public:
    enum class Column {
        state,
        name,
        host,
        architecture,
        parameters,
        data,
        progress,
        loss,
        validation,
        sparkline,
        rate,
        started,
        duration,
        tags,
        note,
        count,
    };
    Q_ENUM(Column)
    enum Role {
        SortRole = Qt::UserRole + 1,  // number or text to sort by; an invalid value sorts last
        KeyRole,                      // QString
        WordRole,                     // RunWord as int, for icons
        SparklineRole,                // QVariant of std::vector<float>
        CopyRole,                     // bool
        ProgressRole,                 // 0..1, invalid when unknown
    };

    explicit RunTableModel(QObject* parent = nullptr);
    void follow(RunStore* store);  // fills the table and keeps it up to date

    void setRows(std::vector<RunRow> rows);
    void updateRows(const std::vector<RunRow>& rows);  // by key; unknown ones are added
    void removeKeys(const QStringList& keys);

    const RunRow& row(int index) const { return m_rows[static_cast<size_t>(index)]; }
    const RunRow* find(const QString& key) const;
    QModelIndex indexOf(const QString& key, Column column = Column::name) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void retranslate();  // after a change of language

 private:
    QVariant displayText(const RunRow& row, Column column) const;
    QVariant sortValue(const RunRow& row, Column column) const;
    QVariant toolTip(const RunRow& row, Column column) const;

    std::vector<RunRow> m_rows;
    QHash<QString, int> m_index;
};

}  // namespace unmask::ui
