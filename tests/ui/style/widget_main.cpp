// SPDX-License-Identifier: Apache-2.0
// main() of tests that show widgets: a QApplication off screen, in English, with the studio's style.
#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>
#include <clocale>

#include "ui/style/style.h"

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("DBUS_SESSION_BUS_ADDRESS",
            "unix:path=/nonexistent");  // the desktop of whoever runs the tests is not asked
    testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    unmask::ui::Style::instance().setTheme(unmask::ui::ThemeChoice::light);
    unmask::ui::Style::instance().install(application);
    return RUN_ALL_TESTS();
}
