// SPDX-License-Identifier: Apache-2.0
// The window: rooms at the left, the chosen page, what trains along the lower edge. It only leads from page to page.
#pragma once

#include <QMainWindow>

#include "ui/pages/run_actions.h"
#include "ui/pages/services.h"

class QStackedWidget;

namespace unmask::ui {

class ComparePage;
class LivePage;
class NewRunPage;
class Rail;
class RunsPage;
class SettingsPage;
class StatusStrip;

class MainWindow final : public QMainWindow {
    Q_OBJECT
 public:
    explicit MainWindow(const Services& services, QWidget* parent = nullptr);

    void showPage(PageId page);
    PageId currentPage() const;
    void openPaths(const QStringList& paths);  // run folders, run files, data files
    void bringToFront();
    NewRunPage& newRunPage() { return *m_newRun; }
    LivePage& livePage() { return *m_live; }
    ComparePage& comparePage() { return *m_compare; }

 protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

 private:
    void build();
    void addActions();
    void listenToNavigator();
    void retext();
    void restore();
    void remember();
    void askBeforeClosing(int active);

    Services m_services;
    RunActions m_actions;
    Rail* m_rail = nullptr;
    QStackedWidget* m_stack = nullptr;
    StatusStrip* m_strip = nullptr;
    RunsPage* m_runs = nullptr;
    NewRunPage* m_newRun = nullptr;
    LivePage* m_live = nullptr;
    ComparePage* m_compare = nullptr;
    SettingsPage* m_settings = nullptr;
    Toast* m_toast = nullptr;
    bool m_mayClose = false;
};

}  // namespace unmask::ui
