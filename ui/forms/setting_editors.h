// SPDX-License-Identifier: Apache-2.0
// The kinds of SettingEditor. Internal to this folder; made by makeSettingEditor.
#pragma once

#include <string_view>

#include "ui/forms/setting_editor.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QLabel;
class QListView;
class QPushButton;
class QStringListModel;

namespace unmask::ui {

class LineEditor final : public SettingEditor {
    Q_OBJECT
 public:
    LineEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);

 protected:
    void showDraft() override;

 private:
    QLineEdit* m_line;
};

class SwitchEditor final : public SettingEditor {
    Q_OBJECT
 public:
    SwitchEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);

 protected:
    void showDraft() override;

 private:
    QCheckBox* m_box;
};

class ChoiceEditor final : public SettingEditor {
    Q_OBJECT
 public:
    ChoiceEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);

 protected:
    void showDraft() override;
    void retextControl() override;

 private:
    QComboBox* m_box;
};

class IntervalEditor final : public SettingEditor {
    Q_OBJECT
 public:
    IntervalEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);

 protected:
    void showDraft() override;
    void retextControl() override;
    void markProblem(ProblemKind kind) override;

 private:
    void edited();

    QLineEdit* m_amount;
    QComboBox* m_unit;
    QString m_lastAmount;  // comes back when "never" is left again
};

class FileListEditor final : public SettingEditor {
    Q_OBJECT
 public:
    FileListEditor(const Setting& setting, SpecDraft* draft, QWidget* parent);

 protected:
    void showDraft() override;
    void retextControl() override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void setFiles(const QStringList& files);
    void addFiles(const QStringList& files);
    void removeSelected();

    QListView* m_view;
    QStringListModel* m_model;
    QLabel* m_hint;
    QPushButton* m_add;
    QPushButton* m_remove;
};

QString unitWord(std::string_view unit);  // "updates" in the language of the window

}  // namespace unmask::ui
