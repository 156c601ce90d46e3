// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_session.h"

#include "engine/protocol/spec_json.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kFlushMs = 100;

std::optional<RunSpec> parseSpec(const QByteArray& text) {
    const auto json = parseJson(text.toStdString());
    if (!json)
        return std::nullopt;
    auto spec = specFromJson(json.value());
    return spec ? std::optional(std::move(spec).value()) : std::nullopt;
}

}  // namespace

RunSession::RunSession(RunStore* store, QString engine, QObject* parent)
    : RunSession(
          store,
          [engine = std::move(engine)](const RunRow& row) { return RunLink::processFactory(engine, row.folder); },
          parent) {}

RunSession::RunSession(RunStore* store, std::function<TransportFactory(const RunRow&)> transports, QObject* parent)
    : QObject(parent), m_store(store), m_transports(std::move(transports)) {
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setInterval(kFlushMs);
    connect(&m_flushTimer, &QTimer::timeout, this, &RunSession::flush);
    connect(m_store, &RunStore::runsChanged, this, &RunSession::onRowsChanged);
}

RunSession::~RunSession() = default;

void RunSession::open(const QString& key) {
    close();
    const quint64 generation = m_generation;
    m_store->history(key).then(this, [this, generation](const RunHistoryPtr& history) {
        if (generation != m_generation)
            return;
        if (history->found)
            takeHistory(std::move(*history));
        else
            Q_EMIT failed(tr("This run is not in the history."));
    });
}

void RunSession::openFolder(const std::filesystem::path& runFolder) {
    close();
    const quint64 generation = m_generation;
    m_store->addFolder(runFolder).then(this, [this, generation, runFolder](const QString& key) {
        if (generation != m_generation)
            return;
        if (key.isEmpty())
            Q_EMIT failed(tr("%1 holds no run that this studio can read.").arg(fromPath(runFolder)));
        else
            open(key);
    });
}

void RunSession::close() {
    ++m_generation;
    m_flushTimer.stop();
    m_link.reset();
    m_row = {};
    m_spec.reset();
    m_series = {};
    m_events.clear();
    m_runStatus = {};
    m_extended.clear();
    m_replaced = false;
    m_eventsReplaced = false;
    m_eventsFlushed = 0;
}

void RunSession::takeHistory(RunHistory&& history) {
    m_row = history.row;
    m_spec = parseSpec(history.specJson);
    m_runStatus = m_row.status;
    m_events = history.events;
    m_eventsFlushed = static_cast<int>(m_events.size());
    m_series.reset(std::move(history));
    const quint64 generation = m_generation;
    Q_EMIT loaded();
    Q_EMIT statusChanged(m_runStatus);
    if (generation == m_generation && m_runStatus.word != RunWord::lost)
        openLink();
}

void RunSession::openLink() {
    m_link = std::make_unique<RunLink>(m_transports(m_row));
    connect(m_link.get(), &RunLink::recordsReceived, this, &RunSession::onRecords);
    connect(m_link.get(), &RunLink::stateChanged, this, &RunSession::onState);
    connect(m_link.get(), &RunLink::linkChanged, this, &RunSession::linkChanged);
    connect(m_link.get(), &RunLink::commandChanged, this, &RunSession::commandChanged);
    m_link->open(m_series.mark());
}

void RunSession::reattach() {
    if (!isOpen())
        return;
    flush();
    if (m_link)
        m_link->open(m_series.mark());
    else
        openLink();
}

LinkStatus RunSession::linkStatus() const {
    return m_link ? m_link->status() : LinkStatus{};
}

QString RunSession::send(const Command& command) {
    return m_link ? m_link->send(command) : QString();
}

void RunSession::onRecords(const RecordBatchPtr& batch) {
    m_store->ingest(m_row.key, batch);
    SeriesSet::Change change = m_series.add(*batch);
    for (const QString& name : change.extended)
        if (!m_extended.contains(name))
            m_extended << name;
    m_replaced = m_replaced || change.replaced;
    const auto lost = [&](const EventRecord& event) { return change.lastValid && event.seq > *change.lastValid; };
    if (change.restarted) {
        m_events.clear();
        m_eventsReplaced = true;
    } else if (std::erase_if(m_events, lost) > 0) {
        m_eventsReplaced = true;
    }
    for (EventRecord& event : change.events)
        m_events.push_back(std::move(event));
    if (!m_flushTimer.isActive())
        m_flushTimer.start();
}

void RunSession::onState(const RunStatus& status) {
    if (status.word != m_runStatus.word)
        m_store->updateStatus(m_row.key, status);
    m_runStatus = status;
    Q_EMIT statusChanged(m_runStatus);
}

// The scanner's news: name and tags, and a run that somebody resumed after its link had ended.
void RunSession::onRowsChanged(const std::vector<RunRow>& rows) {
    for (const RunRow& row : rows) {
        if (row.key != m_row.key || !isOpen())
            continue;
        m_row = row;
        const LinkWord link = linkStatus().word;
        if (row.status.alive() && (!m_link || link == LinkWord::ended))
            reattach();
        else if (link != LinkWord::live)
            m_runStatus = row.status;
        Q_EMIT statusChanged(m_runStatus);
    }
}

void RunSession::flush() {
    m_flushTimer.stop();
    const QStringList extended = std::exchange(m_extended, {});
    const int first = std::exchange(m_eventsFlushed, static_cast<int>(m_events.size()));
    if (std::exchange(m_replaced, false))
        Q_EMIT seriesReplaced();
    else if (!extended.isEmpty())
        Q_EMIT seriesExtended(extended);
    if (std::exchange(m_eventsReplaced, false))
        Q_EMIT eventsReplaced();
    else if (m_eventsFlushed > first)
        Q_EMIT eventsAdded(first, m_eventsFlushed - first);
}

}  // namespace unmask::ui
