// SPDX-License-Identifier: Apache-2.0
// With QtDBus: org.freedesktop.appearance color-scheme, 1 = dark, 2 = light, 0 = no preference.
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>

#include "ui/style/system_theme.h"
#include "ui/style/system_theme_listener.h"

namespace unmask::ui {
namespace {

constexpr int kPortalWaitMs = 150;  // a desktop without a portal must not slow the start
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");

bool paletteIsDark() {
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF();
}

// Portals wrap the value in one or two variants, depending on the call.
QVariant unwrap(QVariant value) {
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

}  // namespace

SystemTheme::SystemTheme(QObject* parent) : QObject(parent), m_dark(paletteIsDark()) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    auto* listener = new SystemThemeListener(this);
    connect(listener, &SystemThemeListener::schemeChanged, this, [this](int scheme) { setDark(scheme == 1); });
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), listener,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    question << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme");
    const QDBusMessage answer = bus.call(question, QDBus::Block, kPortalWaitMs);
    if (answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty()) {
        const uint scheme = unwrap(answer.arguments().constFirst()).toUInt();
        if (scheme != 0)
            m_dark = scheme == 1;
    }
}

void SystemTheme::setDark(bool dark) {
    if (dark == m_dark)
        return;
    m_dark = dark;
    Q_EMIT changed(dark);
}

void SystemThemeListener::settingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == QLatin1String("org.freedesktop.appearance") && key == QLatin1String("color-scheme"))
        Q_EMIT schemeChanged(unwrap(value.variant()).toInt());
}

}  // namespace unmask::ui
