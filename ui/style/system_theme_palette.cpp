// SPDX-License-Identifier: Apache-2.0
// Without QtDBus: the palette that the application started with decides, once.
#include <QGuiApplication>
#include <QPalette>

#include "ui/style/system_theme.h"

namespace unmask::ui {

SystemTheme::SystemTheme(QObject* parent) : QObject(parent) {
    const QPalette palette = QGuiApplication::palette();
    m_dark = palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF();
}

void SystemTheme::setDark(bool dark) {
    if (dark == m_dark)
        return;
    m_dark = dark;
    Q_EMIT changed(dark);
}

}  // namespace unmask::ui
