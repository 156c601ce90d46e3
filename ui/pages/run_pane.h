// SPDX-License-Identifier: Apache-2.0
// Beside the run table: what the chosen run is, in words, with its note and its tags.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/pages/run_actions.h"

class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace unmask::ui {

class Sparkline;
class StateBadge;

class RunPane final : public QWidget {
    Q_OBJECT
 public:
    explicit RunPane(RunActions* actions, QWidget* parent = nullptr);

    void show(const std::optional<RunRow>& row);
    bool eventFilter(QObject* watched, QEvent* event) override;

 protected:
    void hideEvent(QHideEvent* event) override;

 private:
    void build();
    void retext();
    void refresh();
    void saveNote();
    void addFact(const QString& name, const QString& value, const QString& exact = {});
    void addFolder(const QString& path);

    RunActions* m_actions;
    std::optional<RunRow> m_row;
    QString m_savedNote;  // of this run, as it was last read or handed over
    QLabel* m_name;
    StateBadge* m_state;
    QLabel* m_reason;
    Sparkline* m_curve;
    QFormLayout* m_facts;
    QLabel* m_tags;
    QLabel* m_noteTitle;
    QPlainTextEdit* m_note;
    QPushButton* m_open;
    QPushButton* m_resume;
    QPushButton* m_again;
};

}  // namespace unmask::ui
