// SPDX-License-Identifier: Apache-2.0
// A chart in its card: title, latest values, buttons for log axis, fit, maximise and a menu (range, export, data
// table).
#pragma once

#include "ui/charts/chart_registry.h"
#include "ui/widgets/card.h"

class QMenu;
class QToolButton;

namespace unmask::ui {

class ChartWidget;

class ChartPanel final : public Card {
    Q_OBJECT
 public:
    explicit ChartPanel(const ChartInfo& info, QWidget* parent = nullptr);

    const ChartInfo& info() const { return m_info; }
    ChartWidget* chart() const { return m_chart; }
    void exportPicture();  // asks for the file
    void exportCsv();
    void showTable();
    void setMaximised(bool maximised);

 Q_SIGNALS:
    void maximiseRequested();
    void exportFailed(const QString& sentence);

 protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

 private:
    void buildButtons();
    void fillMenu();
    void retext();
    QString askFile(const QString& filter, const QString& suffix);

    const ChartInfo& m_info;
    ChartWidget* m_chart;
    QToolButton* m_log;
    QToolButton* m_fit;
    QToolButton* m_maximise;
    QToolButton* m_menuButton;
    QMenu* m_menu;
    bool m_maximised = false;
};

}  // namespace unmask::ui
