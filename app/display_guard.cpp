// SPDX-License-Identifier: Apache-2.0
#include "app/display_guard.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QLocale>
#include <QMutex>
#include <QTranslator>
#include <algorithm>
#include <cstdio>

namespace unmask::ui {

namespace {

constexpr int kFailed = 1;

struct HeldBack {
    QMutex mutex;
    QStringList messages;
    QStringList lines;  // the same, as Qt would have printed them
};

HeldBack& heldBack() {
    static HeldBack held;
    return held;
}

// There is no application yet that could hold a translator.
QString words(const char* english) {
    constexpr const char* kContext = "unmask::ui::DisplayGuard";
    QTranslator translator;
    QString found;
    if (QLocale::system().language() == QLocale::Chinese && translator.load(QStringLiteral(":/i18n/unmask_zh_CN.qm")))
        found = translator.translate(kContext, english);
    return found.isEmpty() ? QString::fromUtf8(english) : found;
}

void print(const QString& line) {
    std::fputs((line + QLatin1Char('\n')).toLocal8Bit().constData(), stderr);
    std::fflush(stderr);
}

void holdBack(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    HeldBack& held = heldBack();
    const QMutexLocker lock(&held.mutex);
    if (type == QtFatalMsg) {
        print(noDisplaySentence(held.messages + QStringList(message)));
        _exit(kFailed);  // abort() would follow
    }
    held.messages.append(message);
    held.lines.append(qFormatLogMessage(type, context, message));
}

bool isAboutConnecting(const QString& message) {
    return message.contains(QLatin1String("could not connect to display")) ||
           message.contains(QLatin1String("wl_display"));
}

}  // namespace

void watchForDisplay() {
    qInstallMessageHandler(holdBack);
}

void displayAnswered() {
    qInstallMessageHandler(nullptr);
    HeldBack& held = heldBack();
    const QMutexLocker lock(&held.mutex);
    for (const QString& line : held.lines)
        print(line);
    held.lines.clear();
    held.messages.clear();
}

QString noDisplaySentence(const QStringList& qtSaid) {
    const bool connecting = std::any_of(qtSaid.begin(), qtSaid.end(), isAboutConnecting);
    if (!connecting)
        return words(QT_TRANSLATE_NOOP("unmask::ui::DisplayGuard",
                                       "The window cannot be opened. Qt says: \"%1\". "
                                       "'./run engine train' trains in this terminal."))
            .arg(qtSaid.isEmpty() ? QString() : qtSaid.first().simplified());
    const QString asked = qEnvironmentVariable("DISPLAY", qEnvironmentVariable("WAYLAND_DISPLAY"));
    if (asked.isEmpty())
        return words(QT_TRANSLATE_NOOP("unmask::ui::DisplayGuard",
                                       "The window cannot be opened: no display is named in DISPLAY. "
                                       "'./run engine train' trains in this terminal."));
    return words(QT_TRANSLATE_NOOP("unmask::ui::DisplayGuard",
                                   "The window cannot be opened: no display answers at %1. "
                                   "'./run engine train' trains in this terminal."))
        .arg(asked);
}

}  // namespace unmask::ui
