// SPDX-License-Identifier: Apache-2.0
// What the history knows about a run, as plain values: one row of the table, and a run's whole curves.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/journal/record_batch.h"
#include "engine/journal/run_state.h"

namespace unmask::ui {

struct RunRow {
    QString key;  // of this row: the id, or id@1a2b3c4d for a second folder with the same id
    QString id;
    QString name;  // given by the user, else the spec's, else the id
    QString folder;
    bool copy = false;
    RunStatus status;
    QString endReason;  // sentence of the end record; empty while there is none
    QString host, device, dataName, architecture, objective, parent, codeVersion;
    qint64 parameters = 0;
    double learningRate = 0;
    qint64 batchSize = 0;
    qint64 seed = 0;
    qint64 tokens = 0;
    double elapsedSeconds = 0;  // pauses not counted
    qint64 createdMs = 0;       // since the epoch, UTC
    qint64 lastRecordMs = 0;
    std::map<std::string, double> last;  // newest value of each metric
    std::map<std::string, double> best;  // of metrics with a direction
    std::vector<float> sparkline;        // training loss, at most 64 means of equal width
    QStringList tags;
    QString note;
    QString damage;   // sentence about lines of the journal that could not be read; empty when it is whole
    RecordMark mark;  // last record in the index

    // NaN when the run never recorded it.
    double lastValue(std::string_view metric) const;
    double bestValue(std::string_view metric) const;
};

// One curve as columns of equal length. Shown points only: steps grow.
struct SeriesColumns {
    std::string name;
    std::vector<double> step;
    std::vector<double> tokens;
    std::vector<double> elapsed;  // seconds of training, without pauses
    std::vector<double> wall;     // seconds since the epoch
    std::vector<double> value;    // NaN and infinities as recorded
    size_t size() const { return value.size(); }
};

// A run as it stands in the index after the record `mark`.
struct RunHistory {
    bool found = false;
    RunRow row;
    QByteArray specJson;
    std::vector<SeriesColumns> series;
    std::vector<SeriesColumns> superseded;  // points redone after a resume, in the order of seq
    std::vector<EventRecord> events;        // all but metrics and device
    RecordMark mark;
};

// Shared, since curves of long runs are large; the receiver may take the columns out.
using RunHistoryPtr = std::shared_ptr<RunHistory>;
using SeriesColumnsPtr = std::shared_ptr<SeriesColumns>;

struct Annotation {
    enum class Kind { name, note, tags };
    Kind kind = Kind::name;
    QString text;      // of name and note
    QStringList tags;  // of tags
};

enum class StoreHealth {
    closed,
    ready,
    rebuilding,  // usable; the table fills while run folders are read
    temporary,   // another studio holds the file: everything is read from run folders and kept in memory only
};

struct StoreStatus {
    StoreHealth health = StoreHealth::closed;
    QString sentence;  // for people; empty when all is well
    int done = 0;      // run folders read so far while rebuilding
    int total = 0;
};

struct RebuildReport {
    int runs = 0;
    qint64 records = 0;
    QStringList problems;
};

enum class IngestOutcome {
    stored,
    known,  // all of it was there
    gap,    // the batch begins after the last number held; nothing was changed
    failed,
};

}  // namespace unmask::ui
