// SPDX-License-Identifier: Apache-2.0
#include "ui/store/run_store.h"

#include <QPromise>

#include "engine/base/places.h"
#include "ui/store/run_scanner.h"
#include "ui/store/store_worker.h"

namespace unmask::ui {
namespace {

StoreOptions withDefaults(StoreOptions options) {
    if (options.database.empty())
        options.database = dataHome() / "history.sqlite";
    if (options.annotations.empty())
        options.annotations = options.database.parent_path() / "annotations.jsonl";
    if (options.runsFolder.empty())
        options.runsFolder = runsFolder();
    return options;
}

}  // namespace

RunStore::RunStore(StoreOptions options, QObject* parent)
    : QObject(parent),
      m_options(withDefaults(std::move(options))),
      m_worker(new StoreWorker(m_options)),
      m_scanner(new RunScanner(m_worker, m_options.runsFolder, m_options.scan)) {
    m_storeThread.setObjectName(QStringLiteral("run-store"));
    m_scanThread.setObjectName(QStringLiteral("run-scanner"));
    m_worker->moveToThread(&m_storeThread);
    m_scanner->moveToThread(&m_scanThread);
    connect(&m_storeThread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(&m_scanThread, &QThread::finished, m_scanner, &QObject::deleteLater);
    connect(m_worker, &StoreWorker::statusChanged, this, [this](const StoreStatus& status) {
        m_status = status;
        Q_EMIT statusChanged(m_status);
    });
    connect(m_worker, &StoreWorker::rowsChanged, this, &RunStore::runsChanged);
    connect(m_worker, &StoreWorker::rowsForgotten, this, &RunStore::runsForgotten);
    connect(m_worker, &StoreWorker::failed, this, &RunStore::failed);
    connect(m_worker, &StoreWorker::reopened, m_scanner, &RunScanner::beginAnew);
    connect(m_worker, &StoreWorker::rowsForgotten, m_scanner, &RunScanner::forgetRuns);
    connect(m_worker, &StoreWorker::folderOpened, m_scanner, &RunScanner::watch);
    connect(m_scanner, &RunScanner::progressed, this, [this](int done, int total) {
        m_status.done = done;
        m_status.total = total;
        if (m_status.health == StoreHealth::rebuilding)
            Q_EMIT statusChanged(m_status);
    });
    connect(m_scanner, &RunScanner::firstPassFinished, this, [this] {
        if (m_status.health == StoreHealth::rebuilding)
            m_status = {StoreHealth::ready, {}, m_status.done, m_status.total};
        Q_EMIT statusChanged(m_status);
    });
}

RunStore::~RunStore() {
    if (!m_storeThread.isRunning()) {  // never opened
        delete m_scanner;
        delete m_worker;
        return;
    }
    m_scanner->stop();
    m_scanThread.quit();
    m_scanThread.wait();
    QMetaObject::invokeMethod(m_worker, &StoreWorker::close, Qt::BlockingQueuedConnection);  // after all that was asked
    m_storeThread.quit();
    m_storeThread.wait();
}

void RunStore::open() {
    m_storeThread.start();
    m_scanThread.start();
    QMetaObject::invokeMethod(m_worker, &StoreWorker::open);
}

template <class T, class F>
QFuture<T> RunStore::ask(F&& work) {
    auto promise = std::make_shared<QPromise<T>>();
    promise->start();
    QFuture<T> future = promise->future();
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, promise, work = std::forward<F>(work)] {
        promise->addResult(work(*worker));
        promise->finish();
    });
    return future;
}

QFuture<std::vector<RunRow>> RunStore::runs() {
    return ask<std::vector<RunRow>>([](StoreWorker& worker) { return worker.runs(); });
}

QFuture<RunHistoryPtr> RunStore::history(const QString& key) {
    return ask<RunHistoryPtr>([key](StoreWorker& worker) { return worker.history(key); });
}

QFuture<SeriesColumnsPtr> RunStore::series(const QString& key, const QString& name) {
    return ask<SeriesColumnsPtr>([key, name](StoreWorker& worker) { return worker.series(key, name); });
}

QFuture<std::vector<EventRecord>> RunStore::events(const QString& key) {
    return ask<std::vector<EventRecord>>([key](StoreWorker& worker) { return worker.events(key); });
}

QFuture<std::optional<RunSpec>> RunStore::spec(const QString& key) {
    return ask<std::optional<RunSpec>>([key](StoreWorker& worker) { return worker.spec(key); });
}

QFuture<QString> RunStore::addFolder(const std::filesystem::path& folder) {
    return ask<QString>([folder](StoreWorker& worker) { return worker.addOpened(folder); });
}

QFuture<IngestOutcome> RunStore::ingest(const QString& key, const RecordBatchPtr& batch) {
    return ask<IngestOutcome>([key, batch](StoreWorker& worker) { return worker.ingest(key, batch); });
}

QFuture<bool> RunStore::updateStatus(const QString& key, const RunStatus& status) {
    return ask<bool>([key, status](StoreWorker& worker) { return worker.updateStatus(key, status); });
}

QFuture<bool> RunStore::annotate(const QString& key, const Annotation& annotation) {
    return ask<bool>([key, annotation](StoreWorker& worker) { return worker.annotate(key, annotation); });
}

QFuture<bool> RunStore::forget(const QString& key) {
    return ask<bool>([key](StoreWorker& worker) { return worker.forget(key); });
}

// The worker makes the fresh file; the scanner's answer comes after its pass over all folders.
QFuture<RebuildReport> RunStore::rebuildHistory() {
    auto promise = std::make_shared<QPromise<RebuildReport>>();
    promise->start();
    QMetaObject::invokeMethod(m_worker, [worker = m_worker, scanner = m_scanner, promise] {
        const bool begun = worker->rebuild();
        QMetaObject::invokeMethod(scanner, [scanner, promise, begun] {
            promise->addResult(begun ? scanner->reportOfFirstPass() : RebuildReport{});
            promise->finish();
        });
    });
    return promise->future();
}

QFuture<RebuildReport> RunStore::scanNow() {
    auto promise = std::make_shared<QPromise<RebuildReport>>();
    promise->start();
    QMetaObject::invokeMethod(m_scanner, [scanner = m_scanner, promise] {
        promise->addResult(scanner->lookNow());
        promise->finish();
    });
    return promise->future();
}

}  // namespace unmask::ui
