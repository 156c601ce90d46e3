// SPDX-License-Identifier: Apache-2.0
// All curves of one run in memory, one complete line each: history first, live records after it, every record once.
// Points that a resume takes back leave the line and are kept aside.
#pragma once

#include <QStringList>
#include <map>
#include <optional>

#include "ui/store/run_row.h"

namespace unmask::ui {

class SeriesSet {
 public:
    void reset(RunHistory&& history);  // takes the columns

    struct Change {
        QStringList extended;             // series with new points at their end
        bool replaced = false;            // points were taken back: read the columns anew
        std::vector<EventRecord> events;  // those of the batch that are new, without figures
        bool restarted = false;           // everything held before is void, events too
        std::optional<qint64> lastValid;  // events beyond this number never happened (a power cut took them)
    };
    // Records at or below the last number held are passed over, unless a higher attempt gives the number again.
    Change add(const RecordBatch& batch);

    QStringList names() const;
    const SeriesColumns& columns(const QString& name) const;     // empty columns when unknown
    const SeriesColumns& superseded(const QString& name) const;  // "before resume"
    const RecordMark& mark() const { return m_mark; }
    double lastValue(std::string_view name) const;                  // NaN when unknown
    const std::vector<double>& joints() const { return m_joints; }  // steps at which the run was resumed

 private:
    void addFrame(const EventRecord& record, const std::map<std::string, double>& values, Change& change);
    void takeBack(qint64 fromStep, qint64 lastSeq, Change& change);

    std::map<std::string, SeriesColumns, std::less<>> m_shown;
    std::map<std::string, SeriesColumns, std::less<>> m_superseded;
    std::vector<double> m_joints;
    RecordMark m_mark;
    double m_tokens = 0;
    double m_elapsed = 0;
};

}  // namespace unmask::ui
