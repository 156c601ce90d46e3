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

struct Options {
    Options() {
        parser.setApplicationDescription(
            words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine",
                                    "Sets up, starts, watches and compares trainings of diffusion language models.")));
        // Qt's own options have one dash and a word, whose letters are no options of ours.
        parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
        parser.addOptions({rebuild, language, theme, screenshots, latency});
        parser.addPositionalArgument(
            QStringLiteral("files"),
            words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Data files, run files or run folders to open.")),
            QStringLiteral("[FILES…]"));
    }

    QCommandLineParser parser;
    QCommandLineOption help = parser.addHelpOption();
    QCommandLineOption version = parser.addVersionOption();
    QCommandLineOption rebuild{
        QStringLiteral("rebuild-history"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Read the history anew from all run folders."))};
    QCommandLineOption language{
        QStringLiteral("language"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Language of the window: en or zh_CN.")),
        QStringLiteral("LANGUAGE")};
    QCommandLineOption theme{
        QStringLiteral("theme"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Colours of the window: light, dark or system.")),
        QStringLiteral("THEME")};
    QCommandLineOption screenshots{
        QStringLiteral("screenshot-dir"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine", "Write a picture of every page to this folder and end.")),
        QStringLiteral("FOLDER")};
    QCommandLineOption latency{
        QStringLiteral("latency-log"),
        words(QT_TRANSLATE_NOOP("unmask::ui::CommandLine",
                                "Write the longest waits of the window to this file, one a second.")),
        QStringLiteral("FILE")};
};

}  // namespace

void answerWithoutWindow(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    Options asked;
    asked.parser.parse(arguments);  // unknown options may be Qt's, so they are left to the window
    if (!asked.parser.isSet(asked.help) && !asked.parser.isSet(asked.version))
        return;
    const QCoreApplication application(argc, argv);  // the parser asks it for the program's name
    if (asked.parser.isSet(asked.version))
        asked.parser.showVersion();
    asked.parser.showHelp();
}

CommandLine parseCommandLine(const QStringList& arguments) {
    Options given;
    given.parser.process(arguments);

    CommandLine line;
    line.language = given.parser.value(given.language);
    line.theme = given.parser.value(given.theme);
    line.screenshotDir = given.parser.value(given.screenshots);
    line.latencyLog = given.parser.value(given.latency);
    line.rebuildHistory = given.parser.isSet(given.rebuild);
    for (const QString& path : given.parser.positionalArguments())
        line.paths.append(QFileInfo(path).absoluteFilePath());
    return line;
}

}  // namespace unmask::ui
