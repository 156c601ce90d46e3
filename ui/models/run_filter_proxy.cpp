// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter_proxy.h"

#include "ui/models/run_table_model.h"

namespace unmask::ui {

RunFilterProxy::RunFilterProxy(RunTableModel* model, QObject* parent) : QSortFilterProxyModel(parent), m_model(model) {
    setSourceModel(model);
    setSortRole(RunTableModel::SortRole);
    setDynamicSortFilter(true);
}

void RunFilterProxy::setFilterText(const QString& text) {
    m_filter = RunFilter::parse(text);
    invalidateFilter();
}

const RunRow& RunFilterProxy::row(const QModelIndex& proxyIndex) const {
    return m_model->row(mapToSource(proxyIndex).row());
}

bool RunFilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex&) const {
    return m_filter.accepts(m_model->row(sourceRow));
}

// What is unknown stays at the end in both directions.
bool RunFilterProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(RunTableModel::SortRole);
    const QVariant b = right.data(RunTableModel::SortRole);
    if (!a.isValid() || !b.isValid())
        return sortOrder() == Qt::AscendingOrder ? a.isValid() && !b.isValid() : !a.isValid() && b.isValid();
    if (a.typeId() == QMetaType::QString)
        return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    return a.toDouble() < b.toDouble();
}

}  // namespace unmask::ui
