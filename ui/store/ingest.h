// SPDX-License-Identifier: Apache-2.0
// Records of a run into the index, exactly once: a record counts when its number follows the run's mark, and the mark
// moves in the same transaction. A resume takes back what a crash made void. Called inside a transaction of the store;
// after a rollback `forgetCached` must follow.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "engine/journal/record_batch.h"
#include "ui/store/frame_table.h"
#include "ui/store/run_row.h"
#include "ui/store/sparkline.h"

namespace unmask::ui {

class Ingest {
 public:
    explicit Ingest(Sql& sql) : m_sql(sql), m_frames(sql) {}

    IngestOutcome take(const QString& key, const RecordBatch& batch);
    void forgetCached() { m_runs.clear(); }

 private:
    struct RunCache {
        qint64 run = 0;
        RecordMark mark;
        qint64 tailRows = 0;
        qint64 tokens = 0;
        double elapsed = 0;
        qint64 lastRecordMs = 0;
        std::map<std::string, double> last, best;
        Sparkline sparkline;
        std::unordered_map<std::string, uint16_t> series;
        std::vector<Frame> pending;  // of this batch, not written yet
    };

    RunCache& cache(const QString& key);
    void dropRecords(RunCache& run);
    void takeRecord(RunCache& run, const EventRecord& record);
    void takeFigures(RunCache& run, const EventRecord& record, const std::map<std::string, double>& values);
    void takeBack(RunCache& run, const ResumedEvent& resumed, int64_t seq);
    void noteFacts(RunCache& run, const EventRecord& record);
    void noteValue(RunCache& run, const std::string& name, double value);
    uint16_t seriesNumber(RunCache& run, const std::string& name);

    void writePending(RunCache& run);
    void recomputeFigures(RunCache& run);
    void writeRun(const RunCache& run);

    Sql& m_sql;
    FrameTable m_frames;
    std::unordered_map<std::string, RunCache> m_runs;  // by key
};

}  // namespace unmask::ui
