// SPDX-License-Identifier: Apache-2.0
// The SQLite file: opened exclusively by exactly one connection, checked, migrated, and moved aside whole (with its
// -wal) when it is damaged. SQLite before 3.51.3 can corrupt a WAL file that two connections use, so there is never a
// second one, not even for reading.
#pragma once

#include <QString>
#include <filesystem>
#include <memory>

#include "ui/store/sql.h"

namespace unmask::ui {

enum class OpenOutcome { ready, created, locked, damaged, newer, failed };

class HistoryDatabase {
 public:
    explicit HistoryDatabase(std::filesystem::path file);  // ":memory:" keeps everything in memory
    ~HistoryDatabase();
    HistoryDatabase(const HistoryDatabase&) = delete;
    HistoryDatabase& operator=(const HistoryDatabase&) = delete;

    OpenOutcome open();
    void close();  // folds the -wal back into the file
    bool isOpen() const { return m_sql != nullptr; }
    const QString& problem() const { return m_problem; }  // sentence of the last failure

    Sql& sql() { return *m_sql; }
    void begin();
    void commit();
    void rollback() noexcept;

    // Renames the closed file and its -wal to NAME.<why>-<time>; false when that fails too.
    bool moveAside(const QString& why);
    const std::filesystem::path& file() const { return m_file; }

 private:
    OpenOutcome openChecked();
    void setPragmas();
    bool integrityHolds(bool endedUncleanly);
    OpenOutcome migrate();

    std::filesystem::path m_file;
    QString m_connectionName;
    std::unique_ptr<Sql> m_sql;
    QString m_problem;
};

}  // namespace unmask::ui
