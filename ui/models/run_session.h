// SPDX-License-Identifier: Apache-2.0
// One opened run: its history from the store joined with the live link into one complete set of curves and one list of
// events, without gap or double point, and its state, link and commands. New records are handed to the store on the
// way.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "ui/client/run_link.h"
#include "ui/models/series_set.h"
#include "ui/store/run_store.h"

namespace unmask::ui {

class RunSession final : public QObject {
    Q_OBJECT

 public:
    // `engine`: program of the bridge, see locateEngine().
    RunSession(RunStore* store, QString engine, QObject* parent = nullptr);
    RunSession(RunStore* store, std::function<TransportFactory(const RunRow&)> transports, QObject* parent = nullptr);
    ~RunSession() override;

    void open(const QString& key);                            // of a row of the store
    void openFolder(const std::filesystem::path& runFolder);  // also of a run that was started a moment ago
    void close();
    void reattach();  // after a resume: the link of an ended run is opened again
    bool isOpen() const { return !m_row.key.isEmpty(); }

    const RunRow& row() const { return m_row; }
    const std::optional<RunSpec>& spec() const { return m_spec; }
    const SeriesSet& series() const { return m_series; }
    const std::vector<EventRecord>& events() const { return m_events; }
    const RunStatus& status() const { return m_runStatus; }
    LinkStatus linkStatus() const;

    QString send(const Command& command);  // id of the command; commandChanged follows it
    RunLink* link() const { return m_link.get(); }

 Q_SIGNALS:
    void loaded();                                  // history is there; curves may be drawn
    void seriesExtended(const QStringList& names);  // batched: new points at the end of these
    void seriesReplaced();                          // read all columns anew
    void eventsAdded(int first, int count);         // rows of events()
    void eventsReplaced();
    void statusChanged(const unmask::RunStatus& status);
    void linkChanged(const unmask::ui::LinkStatus& status);
    void commandChanged(const unmask::ui::CommandProgress& progress);
    void failed(const QString& sentence);

 private:
    void takeHistory(RunHistory&& history);
    void openLink();
    void onRecords(const RecordBatchPtr& batch);
    void onState(const RunStatus& status);
    void onRowsChanged(const std::vector<RunRow>& rows);
    void flush();

    RunStore* m_store;
    std::function<TransportFactory(const RunRow&)> m_transports;
    quint64 m_generation = 0;  // answers for a run that was closed meanwhile are void
    RunRow m_row;
    std::optional<RunSpec> m_spec;
    SeriesSet m_series;
    std::vector<EventRecord> m_events;
    RunStatus m_runStatus;
    std::unique_ptr<RunLink> m_link;
    QTimer m_flushTimer;  // one signal for all that came within 100 ms
    QStringList m_extended;
    bool m_replaced = false;
    int m_eventsFlushed = 0;
    bool m_eventsReplaced = false;
};

}  // namespace unmask::ui
