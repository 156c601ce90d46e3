// SPDX-License-Identifier: Apache-2.0
// What happened in a run, newest last: phases, checkpoints, samples, warnings, commands, resumes, the end.
#pragma once

#include <QAbstractTableModel>
#include <QPointer>

#include "engine/protocol/events.h"

namespace unmask::ui {

class RunSession;

class EventListModel final : public QAbstractTableModel {
    Q_OBJECT

 public:
    enum class Column { time, step, kind, text, count };
    Q_ENUM(Column)
    enum Role { StepRole = Qt::UserRole + 1, SeqRole, KindRole, FullTextRole };

    explicit EventListModel(QObject* parent = nullptr);
    void follow(RunSession* session);  // null: empty

    const EventRecord& event(int row) const { return m_events[static_cast<size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void retranslate();

 private:
    void reload();
    void append(int first, int count);

    QPointer<RunSession> m_session;
    std::vector<EventRecord> m_events;
};

}  // namespace unmask::ui
