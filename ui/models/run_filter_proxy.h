// SPDX-License-Identifier: Apache-2.0
// Sorts the run table and filters it by the text of the filter line, e.g. `state:failed tag:zh loss<3.2 shakes`.
#pragma once

#include <QSortFilterProxyModel>

#include "ui/models/run_filter.h"

namespace unmask::ui {

class RunTableModel;

class RunFilterProxy final : public QSortFilterProxyModel {
    Q_OBJECT

 public:
    explicit RunFilterProxy(RunTableModel* model, QObject* parent = nullptr);

    void setFilterText(const QString& text);
    const RunFilter& filter() const { return m_filter; }
    const RunRow& row(const QModelIndex& proxyIndex) const;

 protected:
    bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
    RunTableModel* m_model;
    RunFilter m_filter;
};

}  // namespace unmask::ui
