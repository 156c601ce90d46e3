// SPDX-License-Identifier: Apache-2.0
// Several runs in the same charts, their results against a baseline, and the settings in which they differ.
#pragma once

#include <QHash>
#include <QTimer>

#include "ui/models/setting_difference_model.h"
#include "ui/pages/compare_result_model.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/services.h"

class QCheckBox;
class QLabel;
class QMenu;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace unmask::ui {

class ChartBar;
class ChartGrid;
class Chip;
class EmptyState;
class FlowLayout;
class ThinProgress;

class ComparePage final : public Page {
    Q_OBJECT
 public:
    ComparePage(const Services& services, RunActions* actions, QWidget* parent = nullptr);

    void compare(const QStringList& keys);
    void entered() override;
    QStringList keys() const { return m_keys; }

 private:
    void build();
    QWidget* buildRuns();
    QWidget* buildTables();
    void addShortcuts();
    void retext();
    void addRun(const QString& key);
    void removeRun(const QString& key);
    void setBaseline(const QString& key);
    void load(const QString& key);
    void take(const QString& key, const RunHistory& history);
    void rebuildChips();
    void refreshTables();
    void refreshLive();
    void fillAddMenu();
    void exportTable();

    struct Loaded {
        RunRow row;
        std::optional<RunSpec> spec;
        RecordMark mark;
    };
    Services m_services;
    RunActions* m_actions;
    QStringList m_keys;
    QString m_baseline;
    QHash<QString, Loaded> m_loaded;
    CompareResultModel m_results;
    SettingDifferenceModel m_differences;
    QTimer m_refresh;

    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    QLabel* m_title = nullptr;
    QPushButton* m_add = nullptr;
    QMenu* m_addMenu = nullptr;
    QPushButton* m_export = nullptr;
    QPushButton* m_newFrom = nullptr;
    QWidget* m_chipBox = nullptr;
    FlowLayout* m_chips = nullptr;
    ThinProgress* m_waiting = nullptr;
    ChartGrid* m_charts = nullptr;
    ChartBar* m_chartBar = nullptr;
    QTableView* m_resultTable = nullptr;
    QTableView* m_differenceTable = nullptr;
    QCheckBox* m_onlyDifferences = nullptr;
    QLabel* m_noDifference = nullptr;
};

}  // namespace unmask::ui
