// SPDX-License-Identifier: Apache-2.0
#include "ui/store/store_worker.h"

#include "engine/protocol/spec_json.h"
#include "ui/settings/path_text.h"
#include "ui/store/history_reader.h"
#include "ui/store/local_disk.h"

namespace unmask::ui {
namespace {

constexpr int kTellDelayMs = 200;
constexpr int kBulkCommitMs = 500;

bool liesIn(const std::filesystem::path& folder, const std::filesystem::path& parent) {
    return folder.lexically_normal().parent_path() == parent.lexically_normal();
}

}  // namespace

StoreWorker::StoreWorker(StoreOptions options) : m_options(std::move(options)), m_annotations(m_options.annotations) {}

// The one seam: a fault undoes the job, is told once, and leads to healing where the file is damaged.
template <class T>
T StoreWorker::job(Access access, const std::function<T()>& work) {
    if (!m_database || !m_database->isOpen())
        return T{};
    try {
        if (access == Access::read)
            return work();
        const bool outer = !m_inTransaction;
        if (outer) {
            m_database->begin();
            m_sinceCommit.start();
            m_inTransaction = true;
        }
        m_database->sql().run("SAVEPOINT job");
        try {
            T result = work();
            m_database->sql().run("RELEASE job");
            if (!m_bulk || m_sinceCommit.elapsed() > kBulkCommitMs)
                commit();
            return result;
        } catch (const StoreError& error) {
            if (error.damaged())
                throw;
            m_database->sql().run("ROLLBACK TO job");
            m_database->sql().run("RELEASE job");
            throw;
        }
    } catch (const std::exception& error) {
        onError(error);
        return T{};
    }
}

void StoreWorker::onError(const std::exception& error) {
    m_ingest->forgetCached();
    const auto* stored = dynamic_cast<const StoreError*>(&error);
    if (stored && stored->damaged()) {
        recover(fromUtf8(error.what()));
        return;
    }
    if (m_inTransaction && !m_bulk) {
        m_inTransaction = false;
        m_database->rollback();
    }
    Q_EMIT failed(fromUtf8(error.what()));
}

void StoreWorker::open() {
    m_tellTimer = std::make_unique<QTimer>();
    m_tellTimer->setSingleShot(true);
    m_tellTimer->setInterval(kTellDelayMs);
    connect(m_tellTimer.get(), &QTimer::timeout, this, &StoreWorker::tellChanges);
    const QString moved = chooseLocalPlace();
    m_database = std::make_unique<HistoryDatabase>(m_options.database);
    switch (m_database->open()) {
        case OpenOutcome::ready:
            settle(StoreHealth::ready, moved);
            return;
        case OpenOutcome::created:
            settle(StoreHealth::rebuilding, moved);
            return;
        case OpenOutcome::damaged:
            recover(m_database->problem());
            return;
        case OpenOutcome::locked:
            openInMemory(
                tr("Another studio has the history open. Runs are read from their folders; names, notes and "
                   "tags cannot be changed in this window."));
            return;
        case OpenOutcome::newer:
            openInMemory(tr("The history file was written by a newer studio (%1). Runs are read from their folders; "
                            "names, notes and tags cannot be changed with this one.")
                             .arg(m_database->problem()));
            return;
        case OpenOutcome::failed:
            openInMemory(tr("The history file cannot be opened (%1). Runs are read from their folders, and nothing is "
                            "kept in the history until the studio is started again.")
                             .arg(m_database->problem()));
            return;
    }
}

// Returns what to tell about it; empty when the place stays.
QString StoreWorker::chooseLocalPlace() {
    if (!isNetworkVolume(m_options.database))
        return {};
    const std::filesystem::path folder = privateLocalFolder();
    if (folder.empty())
        return {};
    m_options.database = folder / m_options.database.filename();
    return tr("Your home lies on a file server, where the history file would not be safe. It is kept in %1 on this "
              "computer.")
        .arg(fromPath(folder));
}

void StoreWorker::openInMemory(const QString& sentence) {
    openFile(":memory:");
    settle(StoreHealth::temporary, sentence);
}

bool StoreWorker::openFile(const std::filesystem::path& file) {
    m_database = std::make_unique<HistoryDatabase>(file);
    const OpenOutcome outcome = m_database->open();
    return outcome == OpenOutcome::ready || outcome == OpenOutcome::created;
}

// By value: the database that said why is gone before it is told.
void StoreWorker::recover(QString why) {  // NOLINT(performance-unnecessary-value-param)
    m_inTransaction = false;
    m_ingest.reset();
    m_database->close();
    if (m_database->moveAside(QStringLiteral("damaged")) && openFile(m_options.database))
        settle(StoreHealth::rebuilding,
               tr("The history file was damaged (%1). It was put aside, and the history is being rebuilt from run "
                  "folders.")
                   .arg(why));
    else
        openInMemory(
            tr("The history file is damaged (%1) and cannot be replaced. Runs are read from their folders.").arg(why));
}

bool StoreWorker::rebuild() {
    if (m_health == StoreHealth::closed || m_health == StoreHealth::temporary)
        return false;
    setBulk(false);
    m_ingest.reset();
    m_database->close();
    if (!m_database->moveAside(QStringLiteral("before-rebuild")) || !openFile(m_options.database)) {
        openInMemory(tr("The history file cannot be replaced. Runs are read from their folders."));
        return false;
    }
    settle(StoreHealth::rebuilding, tr("The history is being rebuilt from run folders."));
    return true;
}

void StoreWorker::settle(StoreHealth health, const QString& sentence) {
    m_health = health;
    m_bulk = false;
    m_inTransaction = false;
    m_changedKeys.clear();
    m_ingest = std::make_unique<Ingest>(m_database->sql());
    job<bool>(Access::write, [this] {
        m_annotations.replay(m_database->sql());
        return true;
    });
    Q_EMIT statusChanged({m_health, sentence, 0, 0});
    Q_EMIT reopened();
}

void StoreWorker::close() {
    setBulk(false);
    tellChanges();
    m_tellTimer.reset();
    m_ingest.reset();
    m_database.reset();
    m_health = StoreHealth::closed;
}

void StoreWorker::setBulk(bool on) {
    m_bulk = on;
    if (on || !m_inTransaction)
        return;
    try {
        commit();
    } catch (const std::exception& error) {
        onError(error);
    }
}

void StoreWorker::commit() {
    m_inTransaction = false;
    try {
        m_database->commit();
    } catch (const std::exception&) {
        m_database->rollback();
        throw;
    }
}

std::vector<RunRow> StoreWorker::runs() {
    return job<std::vector<RunRow>>(Access::read, [&] { return RunIndex(m_database->sql()).all(); });
}

RunHistoryPtr StoreWorker::history(const QString& key) {
    auto history = job<RunHistoryPtr>(
        Access::read, [&] { return std::make_shared<RunHistory>(HistoryReader(m_database->sql()).history(key)); });
    return history ? history : std::make_shared<RunHistory>();
}

SeriesColumnsPtr StoreWorker::series(const QString& key, const QString& name) {
    auto columns = job<SeriesColumnsPtr>(Access::read, [&] {
        return std::make_shared<SeriesColumns>(HistoryReader(m_database->sql()).series(key, name));
    });
    return columns ? columns : std::make_shared<SeriesColumns>();
}

std::vector<EventRecord> StoreWorker::events(const QString& key) {
    return job<std::vector<EventRecord>>(Access::read, [&] {
        Sql& sql = m_database->sql();
        return HistoryReader(sql).events(RunIndex(sql).number(key));
    });
}

std::optional<RunSpec> StoreWorker::spec(const QString& key) {
    return job<std::optional<RunSpec>>(Access::read, [&]() -> std::optional<RunSpec> {
        RunIndex index(m_database->sql());
        const auto json = parseJson(index.specJson(index.number(key)).toStdString());
        if (!json)
            return std::nullopt;
        auto spec = specFromJson(json.value());
        return spec ? std::optional(std::move(spec).value()) : std::nullopt;
    });
}

std::vector<KnownRun> StoreWorker::known() {
    return job<std::vector<KnownRun>>(Access::read, [&] { return RunIndex(m_database->sql()).known(); });
}

std::optional<KnownRun> StoreWorker::known(const QString& key) {
    return job<std::optional<KnownRun>>(Access::read, [&] { return RunIndex(m_database->sql()).known(key); });
}

std::vector<QString> StoreWorker::openedFolders() {
    return job<std::vector<QString>>(Access::read, [&] { return m_annotations.folders(); });
}

QString StoreWorker::add(const RunFolder& folder, const RunDescription& description) {
    const QString key =
        job<QString>(Access::write, [&] { return RunIndex(m_database->sql()).add(folder, description); });
    if (!key.isEmpty())
        changed(key);
    return key;
}

QString StoreWorker::addOpened(const std::filesystem::path& folder) {
    const auto description = readRunDescription(RunFolder{folder});
    if (!description) {
        Q_EMIT failed(fromUtf8(description.error().what()));
        return {};
    }
    const QString key = add(RunFolder{folder}, description.value());
    if (!key.isEmpty() && !liesIn(folder, m_options.runsFolder) && m_health != StoreHealth::temporary)
        job<bool>(Access::read, [&] {
            m_annotations.appendFolder(fromPath(folder));
            return true;
        });
    if (!key.isEmpty())
        Q_EMIT folderOpened(fromPath(folder));
    return key;
}

IngestOutcome StoreWorker::ingest(const QString& key, const RecordBatchPtr& batch) {
    IngestOutcome outcome = IngestOutcome::failed;
    job<bool>(Access::write, [&] {
        outcome = m_ingest->take(key, *batch);
        return true;
    });
    if (outcome == IngestOutcome::stored)
        changed(key);
    return outcome;
}

bool StoreWorker::updateStatus(const QString& key, const RunStatus& status) {
    const bool altered =
        job<bool>(Access::write, [&] { return RunIndex(m_database->sql()).updateStatus(key, status); });
    if (altered)
        changed(key);
    return altered;
}

void StoreWorker::setFingerprint(const QString& key, const QString& fingerprint) {
    job<bool>(Access::write, [&] {
        RunIndex(m_database->sql()).setFingerprint(key, fingerprint);
        return true;
    });
}

// The journal of annotations first: should the index lose its part, it takes it from there at the next start.
bool StoreWorker::annotate(const QString& key, const Annotation& annotation) {
    if (m_health == StoreHealth::temporary) {
        Q_EMIT failed(tr("Names, notes and tags cannot be changed here, because another studio has the history open."));
        return false;
    }
    const bool done = job<bool>(Access::write, [&] {
        m_annotations.append(key, annotation);
        m_annotations.replay(m_database->sql());
        return true;
    });
    if (done)
        changed(key);
    return done;
}

bool StoreWorker::forget(const QString& key) {
    const bool done = job<bool>(Access::write, [&] {
        RunIndex(m_database->sql()).forget(key);
        m_ingest->forgetCached();
        return true;
    });
    if (done)
        Q_EMIT rowsForgotten({key});
    return done;
}

void StoreWorker::changed(const QString& key) {
    m_changedKeys.insert(key);
    if (m_tellTimer && !m_tellTimer->isActive())
        m_tellTimer->start();
}

void StoreWorker::tellChanges() {
    if (m_changedKeys.isEmpty())
        return;
    std::vector<RunRow> rows;
    const QSet<QString> keys = std::exchange(m_changedKeys, {});
    job<bool>(Access::read, [&] {
        RunIndex index(m_database->sql());
        for (const QString& key : keys)
            if (auto row = index.find(key))
                rows.push_back(std::move(*row));
        return true;
    });
    if (!rows.empty())
        Q_EMIT rowsChanged(rows);
}

}  // namespace unmask::ui
