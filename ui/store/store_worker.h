// SPDX-License-Identifier: Apache-2.0
// The store's work, in its own thread: opens the file, runs each job in one transaction, heals damage, and tells which
// rows changed. Everything here is called through the thread's queue; nothing throws to the outside.
#pragma once

#include <QElapsedTimer>
#include <QSet>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "ui/store/annotation_log.h"
#include "ui/store/history_database.h"
#include "ui/store/ingest.h"
#include "ui/store/run_index.h"
#include "ui/store/run_store.h"

namespace unmask::ui {

class StoreWorker final : public QObject {
    Q_OBJECT

 public:
    explicit StoreWorker(StoreOptions options);

    void open();
    void close();
    bool rebuild();  // a fresh file in place of this one, which is kept beside it

    std::vector<RunRow> runs();
    RunHistoryPtr history(const QString& key);
    SeriesColumnsPtr series(const QString& key, const QString& name);
    std::vector<EventRecord> events(const QString& key);
    std::optional<RunSpec> spec(const QString& key);
    std::vector<KnownRun> known();
    std::optional<KnownRun> known(const QString& key);
    std::vector<QString> openedFolders();

    QString add(const RunFolder& folder, const RunDescription& description);
    QString addOpened(
        const std::filesystem::path& folder);  // reads run.json; remembers folders outside the runs folder
    IngestOutcome ingest(const QString& key, const RecordBatchPtr& batch);
    bool updateStatus(const QString& key, const RunStatus& status);
    void setFingerprint(const QString& key, const QString& fingerprint);
    bool annotate(const QString& key, const Annotation& annotation);
    bool forget(const QString& key);

    // While many runs are read, commits are half a second apart instead of one a job.
    void setBulk(bool on);

 Q_SIGNALS:
    void statusChanged(const unmask::ui::StoreStatus& status);
    void rowsChanged(const std::vector<unmask::ui::RunRow>& rows);
    void rowsForgotten(const QStringList& keys);
    void failed(const QString& sentence);
    void reopened();  // the index is another one: whoever holds keys or marks asks anew
    void folderOpened(const QString& folder);

 private:
    enum class Access { read, write };
    template <class T>
    T job(Access access, const std::function<T()>& work);
    void commit();
    void onError(const std::exception& error);
    void recover(QString why);
    bool openFile(const std::filesystem::path& file);
    QString chooseLocalPlace();
    void openInMemory(const QString& sentence);
    void settle(StoreHealth health, const QString& sentence);
    void changed(const QString& key);
    void tellChanges();

    StoreOptions m_options;
    std::unique_ptr<HistoryDatabase> m_database;
    std::unique_ptr<Ingest> m_ingest;
    AnnotationLog m_annotations;
    StoreHealth m_health = StoreHealth::closed;
    QSet<QString> m_changedKeys;
    std::unique_ptr<QTimer> m_tellTimer;  // made in the store's thread
    bool m_bulk = false;
    bool m_inTransaction = false;
    QElapsedTimer m_sinceCommit;
};

}  // namespace unmask::ui
