// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings.h"

#include <QSettings>
#include <QThreadPool>

#include "engine/base/places.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kWriteDelayMs = 300;

// One thread writes, in order, so an older state never overwrites a newer one.
QThreadPool& writerPool() {
    static QThreadPool pool;
    pool.setMaxThreadCount(1);
    return pool;
}

void writeFile(const QString& file, const QMap<QString, QVariant>& values) {
    QSettings settings(file, QSettings::IniFormat);
    for (const SettingRow& row : settingsTable()) {
        if (values.contains(row.key))
            settings.setValue(row.key, values.value(row.key));
        else
            settings.remove(row.key);
    }
    settings.sync();
}

}  // namespace

Settings::Settings(QObject* parent) : Settings(configHome() / "studio.ini", parent) {}

Settings::Settings(const std::filesystem::path& file, QObject* parent) : QObject(parent), m_file(fromPath(file)) {
    m_writeTimer.setSingleShot(true);
    m_writeTimer.setInterval(kWriteDelayMs);
    connect(&m_writeTimer, &QTimer::timeout, this, &Settings::writeSoon);
    load();
}

Settings::~Settings() {
    flush();
}

void Settings::load() {
    const QSettings settings(m_file, QSettings::IniFormat);
    for (const SettingRow& row : settingsTable()) {
        const QVariant value = acceptedValue(row, settings.value(row.key));
        if (value != row.fallback)
            m_values.insert(row.key, value);
    }
}

QVariant Settings::value(StudioSetting setting) const {
    const SettingRow& row = settingRow(setting);
    return m_values.value(row.key, row.fallback);
}

void Settings::set(StudioSetting setting, const QVariant& value) {
    const SettingRow& row = settingRow(setting);
    const QVariant accepted = acceptedValue(row, value);
    if (accepted == this->value(setting))
        return;
    if (accepted == row.fallback)
        m_values.remove(row.key);
    else
        m_values.insert(row.key, accepted);
    m_writeTimer.start();
    Q_EMIT changed(setting);
}

void Settings::reset(SettingScope scope) {
    for (const SettingRow& row : settingsTable())
        if (row.scope == scope)
            set(row.setting, row.fallback);
}

void Settings::writeSoon() {
    writerPool().start([file = m_file, values = m_values] { writeFile(file, values); });
}

void Settings::flush() {
    if (m_writeTimer.isActive()) {
        m_writeTimer.stop();
        writeSoon();
    }
    writerPool().waitForDone();
}

std::filesystem::path Settings::runsFolder() const {
    const QString chosen = text(StudioSetting::runsFolder);
    return chosen.isEmpty() ? unmask::runsFolder() : toPath(chosen);
}

}  // namespace unmask::ui
