// SPDX-License-Identifier: Apache-2.0
// Typed access to the studio's settings. Values live in memory; the file is written by another thread shortly after a
// change, so that no click waits for a disk. A damaged or missing file yields the defaults and never blocks start-up.
#pragma once

#include <QMap>
#include <QObject>
#include <QTimer>
#include <filesystem>

#include "ui/settings/settings_table.h"

namespace unmask::ui {

class Settings final : public QObject {
    Q_OBJECT

 public:
    explicit Settings(QObject* parent = nullptr);  // configHome()/studio.ini
    explicit Settings(const std::filesystem::path& file, QObject* parent = nullptr);
    ~Settings() override;

    QVariant value(StudioSetting setting) const;
    template <class T>
    T get(StudioSetting setting) const {
        return value(setting).template value<T>();
    }
    QString text(StudioSetting setting) const { return value(setting).toString(); }

    // Values that do not fit the row are ignored.
    void set(StudioSetting setting, const QVariant& value);
    void reset(SettingScope scope);
    void flush();  // waits until the file holds what memory holds; for the end of the program and for tests

    // Folder of new runs: the setting, else the shelf's default.
    std::filesystem::path runsFolder() const;

 Q_SIGNALS:
    void changed(unmask::ui::StudioSetting setting);

 private:
    void load();
    void writeSoon();

    QString m_file;
    QMap<QString, QVariant> m_values;  // by key; only what differs from the default
    QTimer m_writeTimer;
};

}  // namespace unmask::ui
