// SPDX-License-Identifier: Apache-2.0
// Checkpoints of a run as its journal tells: step, size, loss at that step, and what became of them.
#pragma once

#include <QAbstractTableModel>
#include <QPointer>

#include "engine/protocol/events.h"

namespace unmask::ui {

class RunSession;

struct CheckpointRow {
    qint64 step = 0;
    QString folder;  // "step-100"
    qint64 bytes = 0;
    qint64 timeMs = 0;
    QString state;  // word of the last action: saved, superseded, bad, quarantined
    QString reason;
    double loss = 0;            // NaN when no record of that step has one
    double validationLoss = 0;  // newest at or before the step
    bool usable() const { return state == QLatin1String("saved"); }
};

class CheckpointModel final : public QAbstractTableModel {
    Q_OBJECT

 public:
    enum class Column { step, loss, validation, size, time, state, count };
    Q_ENUM(Column)
    enum Role { SortRole = Qt::UserRole + 1, FolderRole, UsableRole };

    explicit CheckpointModel(QObject* parent = nullptr);
    void follow(RunSession* session);
    const CheckpointRow& checkpoint(int row) const { return m_rows[static_cast<size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void retranslate();

 private:
    void reload();
    void add(const EventRecord& record);  // appends, alters or removes one row
    void fillLosses(CheckpointRow& row) const;

    QPointer<RunSession> m_session;
    std::vector<CheckpointRow> m_rows;  // by time
};

}  // namespace unmask::ui
