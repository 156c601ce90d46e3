// SPDX-License-Identifier: Apache-2.0
// Receives the portal's signal. QtDBus can only deliver it to a named slot.
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace unmask::ui {

class SystemThemeListener final : public QObject {
    Q_OBJECT
 public:
    using QObject::QObject;

 public Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 Q_SIGNALS:
    void schemeChanged(int scheme);
};

}  // namespace unmask::ui
