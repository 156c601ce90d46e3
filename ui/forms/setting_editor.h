// SPDX-License-Identifier: Apache-2.0
// The editor of one setting: label with help, control, default and reset, problem beside it. One for each SettingType.
#pragma once

#include <QWidget>

#include "engine/protocol/settings.h"
#include "ui/forms/spec_draft.h"

class QLabel;
class QToolButton;
class QHBoxLayout;

namespace unmask::ui {

class SettingEditor : public QWidget {
    Q_OBJECT
 public:
    SettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent = nullptr);

    const Setting& setting() const { return m_setting; }
    QString path() const { return m_path; }
    QWidget* control() const { return m_control; }  // what takes the focus
    QString problemText() const;
    void retext();

 protected:
    void setControl(QWidget* control, bool wide = false);  // once, by the constructor of each kind
    virtual void showDraft() = 0;                          // draft → control, without echo
    virtual void retextControl() {}
    virtual void markProblem(ProblemKind kind);
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    SpecDraft* draft() const { return m_draft; }

 private:
    friend SettingEditor* makeSettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);
    void connectDraft();  // after construction, since it calls showDraft
    void refresh();
    void refreshProblem();
    void applyMetrics();

    const Setting& m_setting;
    const QString m_path;
    SpecDraft* m_draft;
    QLabel* m_label;
    QHBoxLayout* m_row;
    QLabel* m_unit;
    QLabel* m_default;
    QToolButton* m_reset;
    QLabel* m_reason;  // the help, under the control
    ProblemLabel* m_problem;
    QWidget* m_control = nullptr;
    bool m_wide = false;
};

// Integer, number, text: a line; interval: a line and a unit; choice: a box; boolean: a switch; list: files with drop.
SettingEditor* makeSettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent = nullptr);

}  // namespace unmask::ui
