// SPDX-License-Identifier: Apache-2.0
// Follows events.jsonl (and its continuations events-2.jsonl, …). Bytes after the last good record are held back: they
// are a line still being written, or a torn tail that the next writer cuts away. Damage inside a file is reported with
// file, line and the missing numbers, and reading goes on after it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/journal/run_folder.h"
#include "engine/protocol/events.h"

namespace unmask {

std::filesystem::path journalFile(const RunFolder& folder, int number);  // 1 → events.jsonl, 2 → events-2.jsonl
int lastJournalFileNumber(const RunFolder& folder);                      // 1 when there is none yet

struct JournalDamage {
    std::string file;
    int64_t line = 0;
    int64_t offset = 0;
    std::string reason;
};

// What a line says before its JSON is parsed; none when the line is not a record or its CRC is wrong.
struct LineHead {
    int64_t seq = 0;
    int64_t attempt = 0;
};
std::optional<LineHead> readLineHead(std::string_view line);

class EventReader {
 public:
    explicit EventReader(const RunFolder& folder);

    // Reads what is complete now, about `maxBytes` at most; returns raw lines (without newline) whose seq >= fromSeq,
    // in file order. Empty when there is nothing new. A line that says a number again is left out, unless it is of a
    // later attempt: then the older one was lost in a power cut.
    struct Line {
        int64_t seq;
        std::string bytes;
    };
    std::vector<Line> readLines(int64_t fromSeq = 1, size_t maxBytes = size_t{8} << 20);
    std::vector<EventRecord> readRecords(int64_t fromSeq = 1, size_t maxBytes = size_t{8} << 20);
    const std::vector<JournalDamage>& damages() const { return m_damages; }

    // Where the last good record ended: what the writer cuts to.
    int fileNumber() const { return m_fileNumber; }
    int64_t goodEnd() const { return m_offset; }
    int64_t lastSeq() const { return m_lastSeq; }
    int64_t lastAttempt() const { return m_lastAttempt; }

 private:
    bool readChunk(int64_t fromSeq, size_t maxBytes, std::vector<Line>& lines);
    size_t takeLines(std::string_view chunk, int64_t fromSeq, std::vector<Line>& lines);
    bool accept(const LineHead& head, int64_t lineNumber, int64_t lineOffset);
    void report(int64_t line, int64_t offset, std::string reason);

    RunFolder m_folder;
    int m_fileNumber = 1;
    int64_t m_offset = 0;  // in the current file, after the last good record
    int64_t m_line = 0;    // lines before m_offset
    int64_t m_lastSeq = 0;
    int64_t m_lastAttempt = 0;
    std::vector<std::pair<int64_t, int64_t>>
        m_missing;  // numbers a damage swallowed; a continuation file may have them
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
    std::vector<std::string> savedCheckpoints;              // acknowledged, not removed or superseded, oldest first
    std::map<std::string, CheckpointEvent> lastCheckpoint;  // by folder: the newest word about it
    std::map<std::string, double> lastValues;               // newest value of each metric
    std::optional<FinishedEvent> finished;                  // end record of the last attempt
    std::optional<FailedEvent> failed;
    std::string resumedFrom;  // folder the last attempt began from; empty at step 0
    // By folder: how many attempts that began from it ended with an error before anything newer was acknowledged.
    std::map<std::string, int> failuresSince;
    std::vector<JournalDamage> damages;
};
// Adds one record; records must come in file order.
void addToSummary(JournalSummary& summary, const EventRecord& record);
JournalSummary summariseJournal(const RunFolder& folder);

}  // namespace unmask
