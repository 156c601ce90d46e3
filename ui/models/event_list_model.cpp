// SPDX-License-Identifier: Apache-2.0
#include "ui/models/event_list_model.h"

#include <QLocale>

#include "engine/base/clock.h"
#include "ui/models/run_session.h"
#include "ui/models/run_words.h"
#include "ui/settings/number_text.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kColumns = static_cast<int>(EventListModel::Column::count);

qint64 millisecondsOf(const EventRecord& event) {
    return parseUtcNanoseconds(event.time) / 1000000;
}

}  // namespace

EventListModel::EventListModel(QObject* parent) : QAbstractTableModel(parent) {}

void EventListModel::follow(RunSession* session) {
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    if (session) {
        connect(session, &RunSession::loaded, this, &EventListModel::reload);
        connect(session, &RunSession::eventsReplaced, this, &EventListModel::reload);
        connect(session, &RunSession::eventsAdded, this, &EventListModel::append);
    }
    reload();
}

void EventListModel::reload() {
    beginResetModel();
    m_events = m_session ? m_session->events() : std::vector<EventRecord>();
    endResetModel();
}

void EventListModel::append(int first, int count) {
    if (first != rowCount()) {
        reload();
        return;
    }
    beginInsertRows({}, first, first + count - 1);
    const auto begin = m_session->events().begin() + first;
    m_events.insert(m_events.end(), begin, begin + count);
    endInsertRows();
}

int EventListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant EventListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const EventRecord& record = event(index.row());
    switch (role) {
        case StepRole:
            return qint64{record.step};
        case SeqRole:
            return qint64{record.seq};
        case KindRole:
            return fromUtf8(kindOf(record.event));
        case FullTextRole:
        case Qt::ToolTipRole:
            return static_cast<Column>(index.column()) == Column::time ? NumberText::timeExact(millisecondsOf(record))
                                                                       : RunWords::eventSummary(record);
        case Qt::DisplayRole:
            break;
        default:
            return {};
    }
    switch (static_cast<Column>(index.column())) {
        case Column::time:
            return NumberText::time(millisecondsOf(record));
        case Column::step:
            return QLocale().toString(qint64{record.step});
        case Column::kind:
            return RunWords::eventKind(kindOf(record.event));
        case Column::text:
            return RunWords::eventSummary(record);
        case Column::count:
            break;
    }
    return {};
}

QVariant EventListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (static_cast<Column>(section)) {
        case Column::time:
            return tr("Time");
        case Column::step:
            return tr("Step");
        case Column::kind:
            return tr("Kind");
        case Column::text:
            return tr("What happened");
        case Column::count:
            break;
    }
    return {};
}

void EventListModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

}  // namespace unmask::ui
