// SPDX-License-Identifier: Apache-2.0
#include "ui/models/checkpoint_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/clock.h"
#include "engine/protocol/metric_names.h"
#include "ui/models/run_session.h"
#include "ui/settings/number_text.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kColumns = static_cast<int>(CheckpointModel::Column::count);

// Newest value at or before the step; NaN when there is none.
double valueAt(const SeriesColumns& columns, double step) {
    const auto after = std::upper_bound(columns.step.begin(), columns.step.end(), step);
    if (after == columns.step.begin())
        return std::numeric_limits<double>::quiet_NaN();
    return columns.value[static_cast<size_t>(after - columns.step.begin()) - 1];
}

QString lossText(double value) {
    return std::isnan(value) ? NumberText::unknown() : NumberText::loss(value);
}

}  // namespace

CheckpointModel::CheckpointModel(QObject* parent) : QAbstractTableModel(parent) {}

void CheckpointModel::follow(RunSession* session) {
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    if (session) {
        connect(session, &RunSession::loaded, this, &CheckpointModel::reload);
        connect(session, &RunSession::eventsReplaced, this, &CheckpointModel::reload);
        connect(session, &RunSession::eventsAdded, this, [this](int first, int count) {
            for (int i = first; i < first + count; ++i)
                add(m_session->events()[static_cast<size_t>(i)]);
        });
    }
    reload();
}

void CheckpointModel::reload() {
    beginResetModel();
    m_rows.clear();
    endResetModel();
    if (!m_session)
        return;
    for (const EventRecord& record : m_session->events())
        add(record);
}

// A later event of the same folder alters its row; a removed checkpoint leaves the list.
void CheckpointModel::add(const EventRecord& record) {
    const auto* event = std::get_if<CheckpointEvent>(&record.event);
    if (!event)
        return;
    const QString folder = fromUtf8(event->folder);
    const auto known =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const CheckpointRow& each) { return each.folder == folder; });
    const int row = static_cast<int>(known - m_rows.begin());
    if (event->action == "removed") {
        if (known == m_rows.end())
            return;
        beginRemoveRows({}, row, row);
        m_rows.erase(known);
        endRemoveRows();
        return;
    }
    CheckpointRow fresh = known == m_rows.end() ? CheckpointRow{} : *known;
    fresh.state = fromUtf8(event->action);
    fresh.reason = fromUtf8(event->reason);
    if (event->action == "saved" || known == m_rows.end()) {
        bool isStep = false;
        const qint64 step = folder.section(QLatin1Char('-'), -1).toLongLong(&isStep);
        fresh.step = isStep ? step : record.step;
        fresh.folder = folder;
        fresh.bytes = event->bytes;
        fresh.timeMs = parseUtcNanoseconds(record.time) / 1000000;
        fillLosses(fresh);
    }
    if (known != m_rows.end()) {
        *known = fresh;
        Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
        return;
    }
    beginInsertRows({}, row, row);
    m_rows.push_back(fresh);
    endInsertRows();
}

void CheckpointModel::fillLosses(CheckpointRow& row) const {
    const auto step = static_cast<double>(row.step);
    row.loss = valueAt(m_session->series().columns(fromUtf8(metric::kTrainLoss)), step);
    row.validationLoss = valueAt(m_session->series().columns(fromUtf8(metric::kValidationLoss)), step);
}

int CheckpointModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CheckpointModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant CheckpointModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const CheckpointRow& row = checkpoint(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == FolderRole)
        return row.folder;
    if (role == UsableRole)
        return row.usable();
    if (role == Qt::ToolTipRole)
        return column == Column::time ? NumberText::timeExact(row.timeMs) : row.reason;
    if (role != Qt::DisplayRole && role != SortRole)
        return {};
    const bool sort = role == SortRole;
    switch (column) {
        case Column::step:
            return sort ? QVariant(row.step) : QVariant(QLocale().toString(row.step));
        case Column::loss:
            return sort ? QVariant(row.loss) : QVariant(lossText(row.loss));
        case Column::validation:
            return sort ? QVariant(row.validationLoss) : QVariant(lossText(row.validationLoss));
        case Column::size:
            return sort ? QVariant(row.bytes) : QVariant(NumberText::memory(static_cast<double>(row.bytes)));
        case Column::time:
            return sort ? QVariant(row.timeMs) : QVariant(NumberText::time(row.timeMs));
        case Column::state:
            if (sort)
                return row.state;
            return row.usable()                               ? tr("good")
                   : row.state == QLatin1String("superseded") ? tr("void after going back")
                   : row.state == QLatin1String("bad")        ? tr("damaged")
                                                              : tr("put aside");
        case Column::count:
            break;
    }
    return {};
}

QVariant CheckpointModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (static_cast<Column>(section)) {
        case Column::step:
            return tr("Step");
        case Column::loss:
            return tr("Loss");
        case Column::validation:
            return tr("Validation");
        case Column::size:
            return tr("Size");
        case Column::time:
            return tr("Saved");
        case Column::state:
            return tr("State");
        case Column::count:
            break;
    }
    return {};
}

void CheckpointModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

}  // namespace unmask::ui
