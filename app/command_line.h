// SPDX-License-Identifier: Apache-2.0
// What may be said on the command line of unmask-studio.
#pragma once

#include <QString>
#include <QStringList>

namespace unmask::ui {

struct CommandLine {
    QStringList paths;      // data files, run files and run folders to open, absolute
    QString language;       // "en", "zh_CN"; empty: as set, else as the desktop
    QString theme;          // "light", "dark", "system"; empty: as set
    QString screenshotDir;  // pictures of every page are written there, then the program ends
    QString latencyLog;     // longest waits of the event loop are written there
    bool rebuildHistory = false;
};

// Answers --help and --version and ends the program. To be called before the QApplication, which needs a display.
void answerWithoutWindow(int argc, char** argv);

// Ends the program for unknown options, as people expect of a command.
CommandLine parseCommandLine(const QStringList& arguments);

}  // namespace unmask::ui
