// SPDX-License-Identifier: Apache-2.0
// The log file of a run, of any size: follows the end until somebody scrolls up, and searches.
#pragma once

#include <QWidget>

#include "ui/models/log_model.h"

class QLabel;
class QLineEdit;
class QListView;
class QToolButton;

namespace unmask::ui {

class LogTab final : public QWidget {
    Q_OBJECT
 public:
    explicit LogTab(QWidget* parent = nullptr);

    void open(const QString& file);

 private:
    void build();
    void retext();
    void find(bool backwards);
    void setFollowing(bool following);
    void refreshNote();

    LogModel m_model;
    QListView* m_list;
    QLineEdit* m_search;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_follow;
    QLabel* m_note;
    QString m_problem;
    bool m_following = true;
};

}  // namespace unmask::ui
