// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/support/journal_text.h"

#include <fstream>

namespace unmask::test {

JournalText& JournalText::add(int64_t step, Event event) {
    ++m_seq;
    char time[40];
    std::snprintf(time, sizeof(time), "2026-12-01T%02d:%02d:%02d.%09dZ", static_cast<int>(m_seq / 3600 % 24),
                  static_cast<int>(m_seq / 60 % 60), static_cast<int>(m_seq % 60), static_cast<int>(m_lines.size()));
    m_lines.push_back(encodeRecord({m_seq, m_attempt, time, step, std::move(event)}));
    m_seqs.push_back(m_seq);
    return *this;
}

JournalText& JournalText::started(const std::string& id) {
    StartedEvent event;
    event.runId = id;
    event.host = "testhost";
    event.device = "CPU, 2 threads";
    event.parameters = 123456;
    return add(0, event);
}

JournalText& JournalText::metrics(int64_t step, const std::map<std::string, double>& values) {
    return add(step, MetricsEvent{step * 10, static_cast<double>(step) * 0.5, values});
}

JournalText& JournalText::losses(int64_t firstStep, int64_t lastStep) {
    for (int64_t step = firstStep; step <= lastStep; ++step)
        metrics(step, {{"train/loss", 1000.0 / static_cast<double>(step + 1)}});
    return *this;
}

JournalText& JournalText::resumed(int64_t fromStep) {
    ++m_attempt;
    ResumedEvent event;
    event.fromStep = fromStep;
    event.lastSeq = m_seq;
    event.checkpoint = "step-" + std::to_string(fromStep);
    return add(fromStep, event);
}

JournalText& JournalText::resumedAfterPowerCut(int64_t fromStep, int64_t lastSeq) {
    m_seq = lastSeq;
    return resumed(fromStep);
}

JournalText& JournalText::checkpoint(int64_t step, const std::string& action) {
    return add(step, CheckpointEvent{action, "step-" + std::to_string(step), "", "", 4096});
}

JournalText& JournalText::finished(int64_t step) {
    FinishedEvent event;
    event.outcome = "finished";
    event.reason = "all steps are done";
    return add(step, event);
}

std::string JournalText::text() const {
    std::string text;
    for (const std::string& line : m_lines)
        text += line + "\n";
    return text;
}

RecordBatchPtr JournalText::batch(size_t first, size_t count) const {
    auto batch = std::make_shared<RecordBatch>();
    batch->afterSeq = first == 0 ? 0 : m_seqs[first - 1];
    for (size_t i = first; i < m_lines.size() && i - first < count; ++i)
        appendLine(*batch, m_lines[i]);
    return batch;
}

RunDescription describeRun(const std::string& id, const std::string& name) {
    RunDescription description;
    description.id = id;
    description.name = name;
    description.created = "2026-12-01T10:00:00.000000000Z";
    description.spec.data.files = {"/data/poems.txt"};
    return description;
}

RunFolder writeRun(const std::filesystem::path& parent, const std::string& id, const JournalText& journal) {
    const RunFolder folder{parent / id};
    std::filesystem::create_directories(parent);
    createRunFolder(folder, describeRun(id));
    writeJournal(folder, journal.text());
    return folder;
}

void writeJournal(const RunFolder& folder, const std::string& text) {
    std::ofstream(folder.eventsFile(), std::ios::binary | std::ios::trunc) << text;
}

}  // namespace unmask::test
