// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>

namespace unmask::ui {

namespace {

QString words(const char* english) {
    return QCoreApplication::translate("unmask::ui::CommandLine", english);
}

}  // namespace

CommandLine parseCommandLine(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(words(QT_TRANSLATE_NOOP(
        "unmask::ui::CommandLine", "Sets up, starts, watches and compares trainings of diffusion language models.")));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption rebuild(
        QStringLiteral("rebuild-history"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Read the history anew from all run folders.")));
    const QCommandLineOption language(
        QStringLiteral("language"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Language of the window: en or zh_CN.")),
        QStringLiteral("LANGUAGE"));
    const QCommandLineOption theme(
        QStringLiteral("theme"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Colours of the window: light, dark or system.")),
        QStringLiteral("THEME"));
    const QCommandLineOption screenshots(
        QStringLiteral("screenshot-dir"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Write a picture of every page to this folder and end.")),
        QStringLiteral("FOLDER"));
    const QCommandLineOption latency(
        QStringLiteral("latency-log"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine",
                                "Write the longest waits of the window to this file, one a second.")),
        QStringLiteral("FILE"));
    parser.addOptions({rebuild, language, theme, screenshots, latency});
    parser.addPositionalArgument(
        QStringLiteral("files"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Data files, run files or run folders to open.")),
        QStringLiteral("[FILES…]"));
    parser.process(arguments);

    CommandLine line;
    line.language = parser.value(language);
    line.theme = parser.value(theme);
    line.screenshotDir = parser.value(screenshots);
    line.latencyLog = parser.value(latency);
    line.rebuildHistory = parser.isSet(rebuild);
    for (const QString& path : parser.positionalArguments())
        line.paths.append(QFileInfo(path).absoluteFilePath());
    return line;
}

}  // namespace unmask::ui
