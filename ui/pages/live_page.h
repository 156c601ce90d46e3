// SPDX-License-Identifier: Apache-2.0
// One run as it trains, or as it ended: figures, curves, buttons, and what happened.
#pragma once

#include "ui/models/run_session.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/services.h"

class QMenu;
class QStackedLayout;
class QToolButton;

namespace unmask::ui {

class ChartBar;
class ChartFeed;
class ChartGrid;
class EmptyState;
class LiveHeader;
class LiveTabs;
class RunControls;
class ThinProgress;

class LivePage final : public Page {
    Q_OBJECT
 public:
    LivePage(const Services& services, RunActions* actions, QWidget* parent = nullptr);

    void openRun(const QString& key);
    void openFolder(const QString& folder);
    void entered() override;
    void openStopDialog();
    const RunSession& session() const { return m_session; }

 private:
    void build();
    QWidget* buildRun();
    void addShortcuts();
    void retext();
    void fillRunMenu();
    void onLoaded();
    void onState();
    void onUnanswered(const Command& command);
    void tellEnd();
    QString endSentence() const;
    QString lastLogLines() const;

    Services m_services;
    RunActions* m_actions;
    RunSession m_session;
    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    ThinProgress* m_waiting = nullptr;
    LiveHeader* m_header = nullptr;
    RunControls* m_controls = nullptr;
    Banner* m_banner = nullptr;
    ChartGrid* m_charts = nullptr;
    ChartBar* m_chartBar = nullptr;
    ChartFeed* m_feed = nullptr;
    LiveTabs* m_tabs = nullptr;
    QToolButton* m_runs = nullptr;
    QMenu* m_runMenu = nullptr;
    Command m_unanswered;
    RunWord m_shownWord = RunWord::lost;
    bool m_opening = false;  // from the wish to the curves; entering the page meanwhile opens nothing else
    bool m_bannerResumes = false;
    bool m_frozen = false;
};

}  // namespace unmask::ui
