// SPDX-License-Identifier: Apache-2.0
// Wires the parts of the studio together: settings, history, engine, window; and applies language and theme.
#pragma once

#include <QApplication>
#include <QTranslator>
#include <memory>

#include "app/command_line.h"
#include "ui/main_window/main_window.h"

namespace unmask::ui {

class Studio final : public QObject {
    Q_OBJECT
 public:
    Studio(QApplication& application, const CommandLine& line);
    ~Studio() override;

    void show();
    void openPaths(const QStringList& paths);
    void useLanguage(const QString& language);  // "system", "en", "zh_CN"; words change at once
    void useTheme(const QString& theme);        // "system", "light", "dark"
    MainWindow& window() { return *m_window; }
    RunTableModel& runs() { return *m_runs; }

 private:
    void onSetting(StudioSetting setting);

    QApplication& m_application;
    CommandLine m_line;
    Settings m_settings;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<EngineProcess> m_engine;
    std::unique_ptr<RunTableModel> m_runs;
    Navigator m_navigator;
    QTranslator m_words;    // of the studio
    QTranslator m_qtWords;  // of Qt's own dialogs
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace unmask::ui
