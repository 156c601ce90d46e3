// SPDX-License-Identifier: Apache-2.0
// The history of all runs: an SQLite index over run folders that can be lost and rebuilt at any time. One connection,
// in one thread; every call here returns at once and its future is answered in order. Folders of runs started elsewhere
// are found by a second thread. Use `future.then(context, …)` to get the answer back in the caller's thread.
#pragma once

#include <QFuture>
#include <QObject>
#include <QThread>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/protocol/run_spec.h"
#include "ui/store/run_row.h"

namespace unmask::ui {

class StoreWorker;
class RunScanner;

struct StoreOptions {
    std::filesystem::path database;     // empty: dataHome()/history.sqlite
    std::filesystem::path annotations;  // empty: annotations.jsonl beside it
    std::filesystem::path runsFolder;   // empty: runsFolder() of the shelf
    bool scan = true;                   // look for runs by itself; off in tests that do it by hand
};

class RunStore final : public QObject {
    Q_OBJECT

 public:
    explicit RunStore(StoreOptions options = {}, QObject* parent = nullptr);
    ~RunStore() override;  // finishes what was asked, then closes the file

    void open();  // statusChanged tells how it went
    const StoreStatus& status() const { return m_status; }

    QFuture<std::vector<RunRow>> runs();  // newest first
    QFuture<RunHistoryPtr> history(const QString& key);
    QFuture<SeriesColumnsPtr> series(const QString& key, const QString& name);
    QFuture<std::vector<EventRecord>> events(const QString& key);
    QFuture<std::optional<RunSpec>> spec(const QString& key);

    // Makes a run folder known (wherever it lies) and returns its key; empty when it holds no run.
    QFuture<QString> addFolder(const std::filesystem::path& folder);
    QFuture<IngestOutcome> ingest(const QString& key, const RecordBatchPtr& batch);
    QFuture<bool> updateStatus(const QString& key, const RunStatus& status);
    QFuture<bool> annotate(const QString& key, const Annotation& annotation);
    QFuture<bool> forget(const QString& key);  // out of the table; the folder stays. Found again, it comes back

    QFuture<RebuildReport> rebuildHistory();
    QFuture<RebuildReport> scanNow();  // looks for new runs and new records at once

 Q_SIGNALS:
    void statusChanged(const unmask::ui::StoreStatus& status);
    void runsChanged(const std::vector<unmask::ui::RunRow>& rows);  // new or altered ones, batched
    void runsForgotten(const QStringList& keys);
    void failed(const QString& sentence);  // something could not be stored or read

 private:
    template <class T, class F>
    QFuture<T> ask(F&& work);

    StoreOptions m_options;
    StoreStatus m_status;
    QThread m_storeThread;
    QThread m_scanThread;
    StoreWorker* m_worker = nullptr;
    RunScanner* m_scanner = nullptr;
};

}  // namespace unmask::ui
