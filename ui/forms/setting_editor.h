// SPDX-License-Identifier: Apache-2.0
// The editor of one setting: label with help, control, default and reset, problem beside it. One for each SettingType.
#pragma once

#include <QWidget>

#include "engine/protocol/settings.h"
#include "ui/forms/spec_draft.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace unmask::ui {

class SettingEditor : public QWidget {
    Q_OBJECT
 public:
    SettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent = nullptr);

    const Setting& setting() const { return m_setting; }
    QString path() const;
    QLabel* label() const { return m_label; }
    QWidget* control() const { return m_control; }
    void setLabelVisible(bool visible);

 protected:
    void setControl(QWidget* control);  // by the constructor of each kind
    virtual void showDraft() = 0;       // draft → control, without echo
    virtual void retext();
    void changeEvent(QEvent* event) override;
    SpecDraft* draft() const { return m_draft; }

    friend SettingEditor* makeSettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);

 private:
    void refresh();
    void refreshProblem();

    const Setting& m_setting;
    SpecDraft* m_draft;
    QLabel* m_label;
    QLabel* m_unit;
    QLabel* m_default;
    QToolButton* m_reset;
    ProblemLabel* m_problem;
    QWidget* m_control = nullptr;
    QWidget* m_row;
};

// Integer, number, text, interval: a line; choice: a box; boolean: a switch; list: files with drop.
SettingEditor* makeSettingEditor(const Setting& setting, SpecDraft* draft, QWidget* parent = nullptr);

}  // namespace unmask::ui
