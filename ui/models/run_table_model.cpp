// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_table_model.h"

#include <cmath>

#include "engine/protocol/metric_names.h"
#include "ui/models/end_words.h"
#include "ui/models/run_words.h"
#include "ui/settings/number_text.h"
#include "ui/settings/path_text.h"
#include "ui/store/run_store.h"

namespace unmask::ui {
namespace {

constexpr int kColumns = static_cast<int>(RunTableModel::Column::count);

QVariant numberOrNothing(double value) {
    return std::isnan(value) ? QVariant() : QVariant(value);
}

QString lossText(double value) {
    return std::isnan(value) ? NumberText::unknown() : NumberText::loss(value);
}

double progressOf(const RunRow& row) {
    return row.status.totalSteps > 0 ? static_cast<double>(row.status.step) / static_cast<double>(row.status.totalSteps)
                                     : std::nan("");
}

}  // namespace

RunTableModel::RunTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunTableModel::follow(RunStore* store) {
    connect(store, &RunStore::runsChanged, this, &RunTableModel::updateRows);
    connect(store, &RunStore::runsForgotten, this, &RunTableModel::removeKeys);
    const auto fill = [this, store] {
        store->runs().then(this, [this](std::vector<RunRow> rows) { setRows(std::move(rows)); });
    };
    // Another index was opened: whatever is shown came from the one before.
    connect(store, &RunStore::statusChanged, this,
            [this, fill, health = StoreHealth::closed](const StoreStatus& status) mutable {
                if (std::exchange(health, status.health) != status.health)
                    fill();
            });
    fill();
}

void RunTableModel::setRows(std::vector<RunRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    m_index.clear();
    for (size_t i = 0; i < m_rows.size(); ++i)
        m_index.insert(m_rows[i].key, static_cast<int>(i));
    endResetModel();
}

void RunTableModel::updateRows(const std::vector<RunRow>& rows) {
    std::vector<RunRow> fresh;
    for (const RunRow& row : rows) {
        const auto found = m_index.constFind(row.key);
        if (found == m_index.constEnd()) {
            fresh.push_back(row);
            continue;
        }
        m_rows[static_cast<size_t>(*found)] = row;
        Q_EMIT dataChanged(index(*found, 0), index(*found, kColumns - 1));
    }
    if (fresh.empty())
        return;
    const int first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
    for (RunRow& row : fresh) {
        m_index.insert(row.key, static_cast<int>(m_rows.size()));
        m_rows.push_back(std::move(row));
    }
    endInsertRows();
}

void RunTableModel::removeKeys(const QStringList& keys) {
    for (const QString& key : keys) {
        const auto found = m_index.constFind(key);
        if (found == m_index.constEnd())
            continue;
        const int position = *found;
        beginRemoveRows({}, position, position);
        m_rows.erase(m_rows.begin() + position);
        m_index.clear();
        for (size_t i = 0; i < m_rows.size(); ++i)
            m_index.insert(m_rows[i].key, static_cast<int>(i));
        endRemoveRows();
    }
}

const RunRow* RunTableModel::find(const QString& key) const {
    const auto found = m_index.constFind(key);
    return found == m_index.constEnd() ? nullptr : &m_rows[static_cast<size_t>(*found)];
}

QModelIndex RunTableModel::indexOf(const QString& key, Column column) const {
    const auto found = m_index.constFind(key);
    return found == m_index.constEnd() ? QModelIndex() : index(*found, static_cast<int>(column));
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const RunRow& run = row(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return displayText(run, column);
        case Qt::ToolTipRole:
            return toolTip(run, column);
        case Qt::AccessibleTextRole:
            return column == Column::sparkline
                       ? QVariant(tr("loss %1").arg(lossText(run.lastValue(metric::kTrainLoss))))
                       : displayText(run, column);
        case SortRole:
            return sortValue(run, column);
        case KeyRole:
            return run.key;
        case WordRole:
            return static_cast<int>(run.status.word);
        case SparklineRole:
            return QVariant::fromValue(run.sparkline);
        case CopyRole:
            return run.copy;
        case ProgressRole:
            return numberOrNothing(progressOf(run));
        case Qt::TextAlignmentRole:
            return sortValue(run, column).typeId() == QMetaType::Double
                       ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
                       : QVariant(int(Qt::AlignLeft | Qt::AlignVCenter));
        default:
            return {};
    }
}

QVariant RunTableModel::displayText(const RunRow& run, Column column) const {
    const QLocale locale;
    switch (column) {
        case Column::state:
            return RunWords::state(run.status.word);
        case Column::name:
            return run.copy ? tr("%1 (copy)").arg(run.name) : run.name;
        case Column::host:
            return run.host.isEmpty() ? NumberText::unknown() : run.host;
        case Column::architecture:
            return run.architecture;
        case Column::parameters:
            return run.parameters > 0 ? NumberText::count(static_cast<double>(run.parameters)) : NumberText::unknown();
        case Column::data:
            return run.dataName.isEmpty() ? tr("Sample corpus") : run.dataName;
        case Column::progress:
            return tr("%1 / %2").arg(locale.toString(qint64{run.status.step}),
                                     locale.toString(qint64{run.status.totalSteps}));
        case Column::loss:
            return lossText(run.lastValue(metric::kTrainLoss));
        case Column::validation:
            return lossText(run.bestValue(metric::kValidationLoss));
        case Column::rate:
            return NumberText::rate(run.lastValue(metric::kTokensPerSecond));
        case Column::started:
            return NumberText::time(run.createdMs);
        case Column::duration:
            return run.elapsedSeconds > 0 ? NumberText::duration(run.elapsedSeconds) : NumberText::unknown();
        case Column::tags:
            return run.tags.join(QStringLiteral(", "));
        case Column::note:
            return run.note.simplified();
        case Column::sparkline:
        case Column::count:
            break;
    }
    return {};
}

QVariant RunTableModel::sortValue(const RunRow& run, Column column) const {
    switch (column) {
        case Column::parameters:
            return run.parameters > 0 ? QVariant(static_cast<double>(run.parameters)) : QVariant();
        case Column::progress:
            return numberOrNothing(progressOf(run));
        case Column::loss:
        case Column::sparkline:
            return numberOrNothing(run.lastValue(metric::kTrainLoss));
        case Column::validation:
            return numberOrNothing(run.bestValue(metric::kValidationLoss));
        case Column::rate:
            return numberOrNothing(run.lastValue(metric::kTokensPerSecond));
        case Column::started:
            return static_cast<double>(run.createdMs);
        case Column::duration:
            return run.elapsedSeconds;
        default: {
            const QString text = displayText(run, column).toString();
            return text.isEmpty() || text == NumberText::unknown() ? QVariant() : QVariant(text);
        }
    }
}

QVariant RunTableModel::toolTip(const RunRow& run, Column column) const {
    switch (column) {
        case Column::state: {
            const QString text = EndWords::of(run);
            return run.damage.isEmpty() ? text : text + QLatin1Char('\n') + run.damage;
        }
        case Column::name:
            return run.copy ? tr("%1\nAnother folder with the same id is in the list too.").arg(run.folder)
                            : run.folder;
        case Column::parameters:
            return NumberText::exact(static_cast<double>(run.parameters));
        case Column::host:
            return RunWords::device(run.device);
        case Column::progress:
            return tr("%1 tokens").arg(NumberText::exact(static_cast<double>(run.tokens)));
        case Column::started:
            return NumberText::timeExact(run.createdMs);
        case Column::note:
            return run.note;
        default:
            return displayText(run, column);
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (static_cast<Column>(section)) {
        case Column::state:
            return tr("State");
        case Column::name:
            return tr("Name");
        case Column::host:
            return tr("Computer");
        case Column::architecture:
            return tr("Model");
        case Column::parameters:
            return tr("Parameters");
        case Column::data:
            return tr("Data");
        case Column::progress:
            return tr("Step");
        case Column::loss:
            return tr("Loss");
        case Column::validation:
            return tr("Best validation");
        case Column::sparkline:
            return tr("Curve");
        case Column::rate:
            return tr("Speed");
        case Column::started:
            return tr("Started");
        case Column::duration:
            return tr("Trained for");
        case Column::tags:
            return tr("Tags");
        case Column::note:
            return tr("Note");
        case Column::count:
            break;
    }
    return {};
}

void RunTableModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

}  // namespace unmask::ui
