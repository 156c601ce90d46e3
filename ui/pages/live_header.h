// SPDX-License-Identifier: Apache-2.0
// The top of Live, readable in one glance: name, state, link, and the figures that matter. What is unknown reads "–";
// when the link is not live the figures turn grey and say as of when.
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/models/run_session.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;

namespace unmask::ui {

class ElidedLabel;
class StatTile;
class StateBadge;

class LiveHeader final : public QWidget {
    Q_OBJECT
 public:
    explicit LiveHeader(RunSession* session, QWidget* parent = nullptr);
    void addToNameRow(QWidget* widget);  // at its right end

 private:
    void build();
    void retext();
    void refresh();  // all figures from the session
    void refreshTime();
    void refreshCheckpoint();
    void onEvents(int first, int count);
    QString staleSince() const;

    RunSession* m_session;
    QHBoxLayout* m_nameRow;
    ElidedLabel* m_name;
    StateBadge* m_state;
    ElidedLabel* m_where;
    QProgressBar* m_bar;
    StatTile* m_step;
    StatTile* m_loss;
    StatTile* m_validation;
    StatTile* m_tokens;
    StatTile* m_rate;
    StatTile* m_left;
    StatTile* m_checkpoint;
    QTimer m_second;
    qint64 m_checkpointStep = -1;
    qint64 m_checkpointMs = 0;
};

}  // namespace unmask::ui
