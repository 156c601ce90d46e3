// SPDX-License-Identifier: Apache-2.0
// Folds the records of a journal into what the last attempt knows.
#include <algorithm>

#include "engine/journal/event_reader.h"

namespace unmask {
namespace {

struct Folder {
    JournalSummary& s;
    const EventRecord& record;

    void operator()(const StartedEvent&) const { s.lastStep = 0; }
    void operator()(const ResumedEvent& event) const {
        s.lastStep = event.fromStep;
        s.resumedFrom = event.checkpoint;
    }
    void operator()(const PhaseEvent& event) const { s.phase = event.name; }
    void operator()(const MetricsEvent& event) const {
        s.tokens = event.tokens;
        s.elapsedSeconds = event.elapsedSeconds;
        for (const auto& [name, value] : event.values)
            s.lastValues[name] = value;
    }
    void operator()(const DeviceEvent& event) const {
        for (const auto& [name, value] : event.values)
            s.lastValues[name] = value;
    }
    void operator()(const CheckpointEvent& event) const {
        s.lastCheckpoint[event.folder] = event;
        std::erase(s.savedCheckpoints, event.folder);
        if (event.action != "saved")
            return;
        s.savedCheckpoints.push_back(event.folder);
        s.failuresSince.clear();
    }
    void operator()(const PausedEvent&) const { s.paused = true; }
    void operator()(const ContinuedEvent&) const { s.paused = false; }
    void operator()(const FinishedEvent& event) const {
        s.finished = event;
        s.paused = false;
    }
    void operator()(const FailedEvent& event) const {
        s.failed = event;
        s.paused = false;
        if (!s.resumedFrom.empty())
            ++s.failuresSince[s.resumedFrom];
    }
    template <class Other>
    void operator()(const Other&) const {}
};

// Its first record of whatever kind makes an attempt: it may fail before it can say from where it goes on.
void beginAttempt(JournalSummary& summary, int64_t attempt) {
    summary.lastAttempt = attempt;
    summary.finished.reset();
    summary.failed.reset();
    summary.paused = false;
    summary.phase.clear();
    summary.resumedFrom.clear();
}

}  // namespace

void addToSummary(JournalSummary& summary, const EventRecord& record) {
    if (record.attempt > summary.lastAttempt)
        beginAttempt(summary, record.attempt);
    summary.lastSeq = record.seq;
    summary.lastStep = std::max(summary.lastStep, record.step);
    std::visit(Folder{summary, record}, record.event);
}

JournalSummary summariseJournal(const RunFolder& folder) {
    JournalSummary summary;
    EventReader reader(folder);
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
        for (const EventRecord& record : records)
            addToSummary(summary, record);
    summary.damages = reader.damages();
    return summary;
}

}  // namespace unmask
