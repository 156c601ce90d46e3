// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/progress_view.h"

#include <unistd.h>

#include "engine/base/text.h"
#include "engine/cli/output.h"

namespace unmask {
namespace {

constexpr double kTerminalSeconds = 0.2;
constexpr double kPlainSeconds = 5;
constexpr int kBarCells = 20;

// Characters, not bytes: the line must not wrap.
std::string cutToWidth(const std::string& line, int columns) {
    int used = 0;
    for (size_t i = 0; i < line.size(); ++i) {
        const bool beginsCharacter = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
        if (beginsCharacter && ++used > columns)
            return line.substr(0, i);
    }
    return line;
}

}  // namespace

ProgressView::ProgressView(const RunFolder& folder, int64_t totalSteps, int64_t lastSeq)
    : m_reader(folder), m_fromSeq(lastSeq + 1), m_terminal(isTerminal(STDOUT_FILENO)), m_lastDraw(SteadyClock::now()) {
    m_state.totalSteps = totalSteps;
}

void ProgressView::update() {
    for (auto records = m_reader.readRecords(m_fromSeq); !records.empty(); records = m_reader.readRecords(m_fromSeq)) {
        for (const EventRecord& record : records) {
            m_state.take(record);
            tell(record);
        }
    }
    const bool first = m_lastShownMetrics <= 0 && m_state.metricsSeen > 0;
    const double pause = m_terminal ? kTerminalSeconds : kPlainSeconds;
    const bool news = m_terminal || m_state.metricsSeen != m_lastShownMetrics;
    if (first || (news && secondsSince(m_lastDraw) >= pause))
        draw();
}

void ProgressView::draw() {
    m_lastDraw = SteadyClock::now();
    m_lastShownMetrics = m_state.metricsSeen;
    if (!m_terminal) {
        if (m_state.metricsSeen > 0)
            printLine(progressWords(m_state));
        return;
    }
    const double share =
        m_state.totalSteps > 0 ? static_cast<double>(m_state.step) / static_cast<double>(m_state.totalSteps) : 0;
    const std::string line = progressBar(share, kBarCells) + " " + progressWords(m_state);
    writeOut("\r" + cutToWidth(line, terminalWidth() - 1) + "\x1b[K");
    m_lineShown = true;
}

void ProgressView::clear() {
    if (m_lineShown)
        writeOut("\r\x1b[K");
    m_lineShown = false;
}

void ProgressView::say(const std::string& line) {
    clear();
    printLine(harmless(line));
    if (m_terminal)
        draw();
}

void ProgressView::finish() {
    if (m_terminal && m_state.metricsSeen > 0)
        draw();
    if (m_lineShown)
        writeOut("\n");
    m_lineShown = false;
    if (!m_terminal && m_state.metricsSeen > 0 && m_state.metricsSeen != m_lastShownMetrics)
        printLine(progressWords(m_state));
}

void ProgressView::tellSample(const SampleEvent& sample) {
    m_sawSample = true;
    const std::string time = sample.seconds >= 1 ? " in " + formatDuration(sample.seconds) : "";
    say("Generated at step " + std::to_string(m_state.step) + time + ":\n" + sample.prompt + sample.text + "\n");
}

void ProgressView::tell(const EventRecord& record) {
    if (const auto* sample = std::get_if<SampleEvent>(&record.event))
        tellSample(*sample);
    else if (const auto* started = std::get_if<StartedEvent>(&record.event))
        say("Training " + formatCount(static_cast<double>(started->parameters)) + " parameters on " + started->device +
            ".");
    else if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
        say("Going on from step " + std::to_string(resumed->fromStep) +
            (resumed->checkpoint.empty() ? ": there was no checkpoint yet." : " (" + resumed->checkpoint + ")."));
    else if (const auto* warning = std::get_if<WarningEvent>(&record.event))
        say("Warning: " + warning->text);
    else if (const auto* anomaly = std::get_if<AnomalyEvent>(&record.event))
        say("Anomaly at step " + std::to_string(record.step) + ": " + anomaly->detail);
    else if (const auto* hint = std::get_if<SuggestionEvent>(&record.event))
        say("Hint: " + hint->text);
    else if (const auto* checkpoint = std::get_if<CheckpointEvent>(&record.event);
             checkpoint && (checkpoint->action == "quarantined" || checkpoint->action == "bad"))
        say("Checkpoint " + checkpoint->folder +
            (checkpoint->action == "bad" ? " is damaged and passed over: "
                                         : " is kept apart and never gone on from: ") +
            checkpoint->reason);
    else if (const auto* answer = std::get_if<CommandEvent>(&record.event))
        say("Command " + answer->command + (answer->accepted ? ": " : " refused: ") + answer->detail);
}

}  // namespace unmask
