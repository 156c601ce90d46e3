// SPDX-License-Identifier: Apache-2.0
// All runs with their honest states; filter, choose, compare, resume.
#pragma once

#include "ui/models/run_filter_proxy.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/services.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QTimer;

namespace unmask::ui {

class EmptyState;
class RunPane;
class ThinProgress;

class RunsPage final : public Page {
    Q_OBJECT
 public:
    RunsPage(const Services& services, RunActions* actions, QWidget* parent = nullptr);

    void entered() override;

 private:
    void build();
    void buildTable();
    void addShortcuts();
    void retext();
    void restoreColumns();
    void onStoreStatus(const StoreStatus& status);
    void onSelection();
    void refreshEmptiness();
    void showMenu(const QPoint& at);
    std::vector<RunRow> chosen() const;

    Services m_services;
    RunActions* m_actions;
    RunFilterProxy m_proxy;
    QStackedWidget* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_count = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_filterProblem = nullptr;
    QPushButton* m_compare = nullptr;
    QPushButton* m_new = nullptr;
    ThinProgress* m_waiting = nullptr;
    Banner* m_banner = nullptr;
    QTableView* m_table = nullptr;
    RunPane* m_pane = nullptr;
};

}  // namespace unmask::ui
