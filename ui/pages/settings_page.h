// SPDX-License-Identifier: Apache-2.0
// How the studio looks, where it keeps things, and its history. Every change applies at once.
#pragma once

#include "ui/pages/services.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;

namespace unmask::ui {

class Card;
class SegmentedControl;

class SettingsPage final : public Page {
    Q_OBJECT
 public:
    explicit SettingsPage(const Services& services, QWidget* parent = nullptr);

    void entered() override;

 private:
    void build();
    QWidget* buildAppearance();
    QWidget* buildFolders();
    QWidget* buildHistory();
    QLabel* addRow(QFormLayout* form, QWidget* field);
    void retext();
    void showValues();
    void chooseRunsFolder();
    void rebuildHistory();
    void refreshHistorySize();

    Services m_services;
    QLabel* m_title = nullptr;
    QPushButton* m_reset = nullptr;
    Card* m_appearance = nullptr;
    Card* m_folders = nullptr;
    Card* m_history = nullptr;
    QLabel* m_languageLabel = nullptr;
    QComboBox* m_language = nullptr;
    QLabel* m_themeLabel = nullptr;
    SegmentedControl* m_theme = nullptr;
    QLabel* m_scaleLabel = nullptr;
    QSlider* m_scale = nullptr;
    QLabel* m_scaleValue = nullptr;
    QLabel* m_runsLabel = nullptr;
    QLineEdit* m_runs = nullptr;
    QPushButton* m_chooseRuns = nullptr;
    QLabel* m_runsHint = nullptr;
    QLabel* m_historyText = nullptr;
    QPushButton* m_rebuild = nullptr;
    QLabel* m_rebuildReport = nullptr;
    QLabel* m_version = nullptr;
    qint64 m_historyBytes = -1;
    bool m_showing = false;
};

}  // namespace unmask::ui
