// SPDX-License-Identifier: Apache-2.0
#include "ui/store/history_database.h"

#include <QFile>
#include <QSqlError>
#include <atomic>

#include "engine/base/clock.h"
#include "ui/settings/path_text.h"
#include "ui/store/schema.h"

namespace unmask::ui {
namespace {

constexpr const char* kMemory = ":memory:";

QString nextConnectionName() {
    static std::atomic<int> number{0};
    return QStringLiteral("unmask-history-%1").arg(++number);
}

std::filesystem::path withSuffix(const std::filesystem::path& file, const std::string& suffix) {
    return file.string() + suffix;
}

bool hasBytes(const std::filesystem::path& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    return !error && size > 0;
}

}  // namespace

HistoryDatabase::HistoryDatabase(std::filesystem::path file)
    : m_file(std::move(file)), m_connectionName(nextConnectionName()) {}

HistoryDatabase::~HistoryDatabase() {
    close();
}

OpenOutcome HistoryDatabase::open() {
    try {
        const OpenOutcome outcome = openChecked();
        if (outcome != OpenOutcome::ready && outcome != OpenOutcome::created)
            close();
        return outcome;
    } catch (const StoreError& error) {
        m_problem = fromUtf8(error.what());
        close();
        return error.damaged() ? OpenOutcome::damaged : error.locked() ? OpenOutcome::locked : OpenOutcome::failed;
    } catch (const std::exception& error) {
        m_problem = fromUtf8(error.what());
        close();
        return OpenOutcome::failed;
    }
}

OpenOutcome HistoryDatabase::openChecked() {
    const bool inMemory = m_file == kMemory;
    const bool existed = !inMemory && hasBytes(m_file);
    const bool endedUncleanly = existed && hasBytes(withSuffix(m_file, "-wal"));
    if (!inMemory)
        std::filesystem::create_directories(m_file.parent_path());
    QSqlDatabase connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connectionName);
    connection.setDatabaseName(inMemory ? QString::fromLatin1(kMemory) : fromPath(m_file));
    connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=300"));
    if (!connection.open()) {
        m_problem = connection.lastError().text();
        return OpenOutcome::failed;
    }
    m_sql = std::make_unique<Sql>(connection);
    setPragmas();
    if (existed && !integrityHolds(endedUncleanly))
        return OpenOutcome::damaged;
    const OpenOutcome migrated = migrate();
    return migrated == OpenOutcome::ready && !existed ? OpenOutcome::created : migrated;
}

void HistoryDatabase::setPragmas() {
    m_sql->script(QStringLiteral("PRAGMA locking_mode=EXCLUSIVE"));  // before WAL: then no -shm file is needed
    m_sql->script(QStringLiteral("PRAGMA journal_mode=WAL"));
    m_sql->script(QStringLiteral("PRAGMA synchronous=FULL"));
    m_sql->script(QStringLiteral("PRAGMA foreign_keys=ON"));
    m_sql->script(QStringLiteral("PRAGMA trusted_schema=OFF"));
    m_sql->script(QStringLiteral("PRAGMA mmap_size=0"));
    m_sql->script(QStringLiteral("PRAGMA cache_size=-32768"));  // KiB
    begin();  // takes the lock now, so that a second studio hears of it at once
    commit();
}

bool HistoryDatabase::integrityHolds(bool endedUncleanly) {
    const QVariant answer = m_sql->value(endedUncleanly ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)");
    if (answer.toString() == QLatin1String("ok"))
        return true;
    m_problem = answer.toString();
    return false;
}

OpenOutcome HistoryDatabase::migrate() {
    const int application = m_sql->value("PRAGMA application_id").toInt();
    const int version = m_sql->value("PRAGMA user_version").toInt();
    const bool empty = m_sql->value("SELECT count(*) FROM sqlite_schema").toInt() == 0;
    if (!empty && application != kHistoryApplicationId) {
        m_problem = QStringLiteral("the file belongs to another program");
        return OpenOutcome::damaged;
    }
    if (version > schemaVersion()) {
        m_problem = QStringLiteral("schema version %1").arg(version);
        return OpenOutcome::newer;
    }
    if (version == schemaVersion())
        return OpenOutcome::ready;
    if (!empty) {
        const QString backup = fromPath(withSuffix(m_file, ".before-version-" + std::to_string(schemaVersion())));
        QFile::remove(backup);
        m_sql->run("VACUUM INTO ?", {backup});
    }
    begin();
    for (int step = version; step < schemaVersion(); ++step)
        for (const QString& statement : schemaSteps()[static_cast<size_t>(step)])
            m_sql->script(statement);
    m_sql->script(QStringLiteral("PRAGMA application_id=%1").arg(kHistoryApplicationId));
    m_sql->script(QStringLiteral("PRAGMA user_version=%1").arg(schemaVersion()));
    commit();
    return OpenOutcome::ready;
}

void HistoryDatabase::begin() {
    m_sql->run("BEGIN IMMEDIATE");
}
void HistoryDatabase::commit() {
    m_sql->run("COMMIT");
}

void HistoryDatabase::rollback() noexcept {
    try {
        m_sql->run("ROLLBACK");
    } catch (const std::exception&) {
        // No transaction is open any more: SQLite has rolled back by itself.
    }
}

void HistoryDatabase::close() {
    m_sql.reset();
    if (!QSqlDatabase::contains(m_connectionName))
        return;
    QSqlDatabase::database(m_connectionName, false).close();
    QSqlDatabase::removeDatabase(m_connectionName);
}

bool HistoryDatabase::moveAside(const QString& why) {
    const std::string suffix = "." + toUtf8(why) + "-" + compactUtcNow();
    std::error_code error;
    for (const char* part : {"-wal", ""}) {  // a crash in between leaves a file that fails its check again
        const std::filesystem::path from = withSuffix(m_file, part);
        if (std::filesystem::exists(from, error))
            std::filesystem::rename(from, withSuffix(m_file, suffix + part), error);
        if (error)
            return false;
    }
    std::filesystem::remove(withSuffix(m_file, "-shm"), error);
    return true;
}

}  // namespace unmask::ui
