// SPDX-License-Identifier: Apache-2.0
// The lower half of Live: events, log, samples, checkpoints and settings of the open run.
#pragma once

#include <QTabWidget>

#include "ui/models/checkpoint_model.h"
#include "ui/models/event_list_model.h"
#include "ui/models/run_session.h"
#include "ui/models/setting_difference_model.h"

class QCheckBox;
class QTableView;

namespace unmask::ui {

class LogTab;
class SamplesTab;

class LiveTabs final : public QTabWidget {
    Q_OBJECT
 public:
    explicit LiveTabs(RunSession* session, QWidget* parent = nullptr);

    void showLog();
    void stepEvent(int direction);  // selects the previous or next event

 Q_SIGNALS:
    void stepChosen(double step);  // an event was clicked: the charts show where
    void sampleRequested();

 private:
    QWidget* makeEvents();
    QWidget* makeCheckpoints();
    QWidget* makeConfig();
    void follow();
    void fillConfig();
    void retext();

    RunSession* m_session;
    EventListModel m_eventModel;
    CheckpointModel m_checkpointModel;
    SettingDifferenceModel m_configModel;
    QTableView* m_events = nullptr;
    QTableView* m_checkpoints = nullptr;
    QTableView* m_config = nullptr;
    QCheckBox* m_onlyDifferences = nullptr;
    LogTab* m_log;
    SamplesTab* m_samples;
};

}  // namespace unmask::ui
