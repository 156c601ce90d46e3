// SPDX-License-Identifier: Apache-2.0
// The servers people have added, in servers.json beside the studio's settings. It holds addresses, never a secret: the
// fields written are listed one by one.
#pragma once

#include <QObject>
#include <filesystem>
#include <vector>

#include "ui/remote/server_address.h"

namespace unmask::ui {

struct ServerEntry {
    QString name;  // shown; unique in the list
    ServerAddress address;
    QString group;            // nodes that train together; empty: none
    QString folder;           // where the engine and runs lie there; empty: ~/unmask
    QStringList environment;  // "NAME=value" lines for what is started there

    bool operator==(const ServerEntry&) const = default;
};

class ServerList final : public QObject {
    Q_OBJECT

 public:
    explicit ServerList(QObject* parent = nullptr);  // configHome()/servers.json
    explicit ServerList(std::filesystem::path file, QObject* parent = nullptr);
    ~ServerList() override;

    const std::vector<ServerEntry>& entries() const { return m_entries; }
    const ServerEntry* find(const QString& name) const;
    QString freeName(const QString& wish) const;  // `wish`, or with a number behind it

    void put(const ServerEntry& entry);  // adds, or replaces the one of that name
    void remove(const QString& name);
    void flush();  // waits until the file holds what memory holds

    const QString& problem() const { return m_problem; }  // why the file could not be read; it is kept aside then

 Q_SIGNALS:
    void changed();
    void failed(const QString& sentence);  // the file could not be written

 private:
    void load();
    void save();

    std::filesystem::path m_file;
    std::vector<ServerEntry> m_entries;
    QString m_problem;
};

}  // namespace unmask::ui
