// SPDX-License-Identifier: Apache-2.0
// The portal's signal as it arrives: other settings are none of our business.
#include <gtest/gtest.h>

#include <QSignalSpy>

#include "ui/style/system_theme_listener.h"

namespace unmask::ui {
namespace {

TEST(SystemThemePortal, OnlyTheColourSchemeCounts) {
    SystemThemeListener listener;
    QSignalSpy changed(&listener, &SystemThemeListener::schemeChanged);
    const QString appearance = QStringLiteral("org.freedesktop.appearance");
    listener.settingChanged(appearance, QStringLiteral("accent-color"), QDBusVariant(1));
    listener.settingChanged(QStringLiteral("org.gnome.desktop"), QStringLiteral("color-scheme"), QDBusVariant(1));
    EXPECT_TRUE(changed.isEmpty());
    listener.settingChanged(appearance, QStringLiteral("color-scheme"), QDBusVariant(1U));
    listener.settingChanged(appearance, QStringLiteral("color-scheme"),
                            QDBusVariant(QVariant::fromValue(QDBusVariant(2U))));
    ASSERT_EQ(changed.size(), 2);
    EXPECT_EQ(changed[0][0].toInt(), 1);
    EXPECT_EQ(changed[1][0].toInt(), 2) << "wrapped twice";
}

}  // namespace
}  // namespace unmask::ui
