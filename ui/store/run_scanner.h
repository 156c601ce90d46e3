// SPDX-License-Identifier: Apache-2.0
// Looks after the index from its own thread: finds run folders, reads what their journals have that the index lacks,
// and keeps the states of all runs true. A run that has ended and whose files have not changed costs a few file dates.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <atomic>
#include <map>
#include <memory>

#include "engine/journal/run_state.h"
#include "ui/store/run_row.h"
#include "ui/store/store_worker.h"

namespace unmask::ui {

class RunScanner final : public QObject {
    Q_OBJECT

 public:
    // Without `repeat` it looks only when asked.
    RunScanner(StoreWorker* worker, std::filesystem::path runsFolder, bool repeat);
    ~RunScanner() override;

    void stop() { m_stopping = true; }  // from any thread; the pass that runs ends at the next folder
    void beginAnew();                   // the index was opened or is another one: all that was learned is void
    RebuildReport lookNow();
    void forgetRuns(const QStringList& keys);
    void watch(const QString& folder);  // also look at this one, outside the runs folder
    RebuildReport reportOfFirstPass();  // makes the pass if none was made yet

 Q_SIGNALS:
    void progressed(int done, int total);
    void firstPassFinished();

 private:
    struct Follower;
    struct Tracked {
        QString key;  // empty: not in the index yet
        QString fingerprint;
        bool alive = true;
        std::unique_ptr<Follower> follower;
    };

    RebuildReport passOverAll(bool tellProgress);
    void learnKnown();
    std::vector<std::string> folders() const;
    void lookAtLiving();
    void tick();
    void examine(const std::string& folder, Tracked& tracked, RebuildReport& report);
    bool beginFollowing(const std::string& folder, Tracked& tracked, RebuildReport& report);
    bool readNew(const std::string& folder, Tracked& tracked, RebuildReport& report);
    template <class F>
    auto ask(F&& work);

    StoreWorker* m_worker;
    std::filesystem::path m_runsFolder;
    bool m_repeat;
    RebuildReport m_firstReport;
    std::atomic<bool> m_stopping{false};
    bool m_known = false;
    bool m_firstPass = true;
    std::map<std::string, Tracked> m_tracked;  // by folder
    std::unique_ptr<QTimer> m_timer;
    QElapsedTimer m_sincePass;
    qint64 m_passMs = 0;
};

}  // namespace unmask::ui
