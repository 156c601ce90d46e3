// SPDX-License-Identifier: Apache-2.0
// Run folders with journals as an engine would have left them, written line by line so that a test decides everything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/journal/record_batch.h"
#include "engine/journal/run_folder.h"

namespace unmask::test {

// Grows a journal record by record; numbers and times run by themselves.
class JournalText {
 public:
    explicit JournalText(int64_t attempt = 1) : m_attempt(attempt) {}

    JournalText& started(const std::string& id = "run");
    JournalText& metrics(int64_t step, const std::map<std::string, double>& values);
    JournalText& losses(int64_t firstStep, int64_t lastStep);  // train/loss = 1000 / (step + 1), and 10 tokens a step
    JournalText& resumed(int64_t fromStep);
    JournalText& resumedAfterPowerCut(int64_t fromStep, int64_t lastSeq);  // numbers after lastSeq are given again
    JournalText& checkpoint(int64_t step, const std::string& action = "saved");
    JournalText& add(int64_t step, Event event);
    JournalText& finished(int64_t step);

    const std::vector<std::string>& lines() const { return m_lines; }
    std::string text() const;
    int64_t lastSeq() const { return m_seq; }
    RecordBatchPtr batch(size_t first = 0, size_t count = SIZE_MAX) const;  // of lines; continues the line before

 private:
    std::vector<std::string> m_lines;
    std::vector<int64_t> m_seqs;
    int64_t m_seq = 0;
    int64_t m_attempt;
};

RunDescription describeRun(const std::string& id, const std::string& name = "a run");
// Folder `parent`/id with run.json and the journal. Without a lock and state it counts as interrupted or ended.
RunFolder writeRun(const std::filesystem::path& parent, const std::string& id, const JournalText& journal);
void writeJournal(const RunFolder& folder, const std::string& text);

}  // namespace unmask::test
