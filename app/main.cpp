// SPDX-License-Identifier: Apache-2.0
// unmask-studio: the window in which trainings are set up, started, watched and compared.
#include <QApplication>
#include <QIcon>
#include <QTextStream>
#include <QThread>
#include <clocale>

#include "app/command_line.h"
#include "app/display_guard.h"
#include "app/latency_watch.h"
#include "app/screenshots.h"
#include "app/single_instance.h"
#include "app/studio.h"
#include "engine/base/places.h"
#include "engine/protocol/version.h"
#include "ui/settings/path_text.h"

using namespace unmask;
using namespace unmask::ui;

namespace {

enum class Place { first, second, shutOut };

// A window that was killed a moment ago may still hold the lock, through a child that it was just starting: such a lock
// goes by itself, so it is asked for again for a while before anybody is turned away.
Place settle(SingleInstance& instance, const QStringList& paths) {
    constexpr int kTries = 30;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        if (instance.becomeFirst())
            return Place::first;
        if (instance.handOver(paths))
            return Place::second;
        QThread::msleep(100);
    }
    return Place::shutOut;
}

int runStudio(QApplication& application, const CommandLine& line) {
    SingleInstance instance(fromPath(dataHome()));
    switch (settle(instance, line.paths)) {
        case Place::second:
            return 0;
        case Place::shutOut:
            QTextStream(stderr) << SingleInstance::tr("The studio is already open but does not answer.") << Qt::endl;
            return 1;
        case Place::first:
            break;
    }
    LatencyWatch latency;
    if (!line.latencyLog.isEmpty())
        latency.logTo(line.latencyLog);
    Studio studio(application, line);
    QObject::connect(&instance, &SingleInstance::pathsReceived, &studio, [&studio](const QStringList& paths) {
        studio.window().bringToFront();
        studio.openPaths(paths);
    });
    studio.show();
    ScreenshotTour tour(studio, line.screenshotDir);
    if (!line.screenshotDir.isEmpty()) {
        QObject::connect(&tour, &ScreenshotTour::finished, &application,
                         [](bool good) { QCoreApplication::exit(good ? 0 : 1); });
        tour.start();
    }
    return application.exec();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication::setApplicationName(QStringLiteral("unmask-studio"));
    QApplication::setApplicationVersion(fromUtf8(codeVersion()));
    answerWithoutWindow(argc, argv);
    watchForDisplay();
    QApplication application(argc, argv);
    displayAnswered();
    std::setlocale(LC_NUMERIC, "C");  // QApplication has set the desktop's, whose decimal comma breaks C parsers
    QApplication::setApplicationDisplayName(QStringLiteral("Unmask"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/unmask.png")));
    QApplication::setDesktopFileName(QStringLiteral("unmask-studio"));
    return runStudio(application, parseCommandLine(QApplication::arguments()));
}
