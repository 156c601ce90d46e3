// SPDX-License-Identifier: Apache-2.0
// Follows events.jsonl (and its continuations events-2.jsonl, …): holds back a torn last line until its newline comes,
// reports damage with file, line and seq gap, and goes on after it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/journal/run_folder.h"
#include "engine/protocol/events.h"

namespace unmask {

struct JournalDamage {
    std::string file;
    int64_t line = 0;
    int64_t offset = 0;
    std::string reason;
};

class EventReader {
   public:
    explicit EventReader(const RunFolder& folder);

    // Reads what is complete now, at most `maxBytes`; returns raw lines (without newline) whose seq >= fromSeq, in file
    // order. Empty when there is nothing new.
    struct Line {
        int64_t seq;
        std::string bytes;
    };
    std::vector<Line> readLines(int64_t fromSeq = 1, size_t maxBytes = size_t{8} << 20);
    std::vector<EventRecord> readRecords(int64_t fromSeq = 1, size_t maxBytes = size_t{8} << 20);
    const std::vector<JournalDamage>& damages() const { return m_damages; }

   private:
    RunFolder m_folder;
    int m_fileNumber = 1;
    int64_t m_offset = 0;
    int64_t m_line = 0;
    std::string m_partial;
    std::vector<JournalDamage> m_damages;
};

// Everything at once: what a resume, `status` and the rebuild of history need.
struct JournalSummary {
    int64_t lastSeq = 0;
    int64_t lastAttempt = 0;
    int64_t lastStep = 0;
    int64_t tokens = 0;
    double elapsedSeconds = 0;
    std::string phase;
    bool paused = false;
    std::vector<std::string> savedCheckpoints;          // acknowledged, not removed or superseded, oldest first
    std::map<std::string, double> lastValues;           // newest value of each metric
    std::optional<FinishedEvent> finished;              // end record of the last attempt
    std::optional<FailedEvent> failed;
    std::vector<JournalDamage> damages;
};
JournalSummary summariseJournal(const RunFolder& folder);

}  // namespace unmask
