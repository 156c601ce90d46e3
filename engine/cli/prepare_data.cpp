// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/prepare_data.h"

#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/cli/output.h"
#include "engine/data/sample_index.h"

namespace unmask {
namespace {

constexpr size_t kShownBadLines = 5;
constexpr double kQuietSeconds = 2;  // an import shorter than this needs no word

// A line of progress for imports that take long; on a terminal it replaces itself.
class ImportVoice {
 public:
    bool operator()(const ImportProgress& progress) {
        if (secondsSince(m_last) < (isTerminal(STDERR_FILENO) ? 0.5 : 2.0) || secondsSince(m_begin) < kQuietSeconds)
            return true;
        m_last = SteadyClock::now();
        const char* verb = progress.phase == ImportProgress::Phase::hashing ? "Reading data: " : "Importing data: ";
        std::string line = verb + formatBytes(static_cast<double>(progress.bytesDone)) + " of " +
                           formatBytes(static_cast<double>(progress.bytesTotal));
        if (progress.documents > 0)
            line += ", " + std::to_string(progress.documents) + " documents";
        [[maybe_unused]] const ssize_t written = isTerminal(STDERR_FILENO)
                                                     ? dprintf(STDERR_FILENO, "\r\x1b[K%s", line.c_str())
                                                     : dprintf(STDERR_FILENO, "%s\n", line.c_str());
        m_shown = true;
        return true;
    }
    void finish() const {
        if (m_shown && isTerminal(STDERR_FILENO))
            dprintf(STDERR_FILENO, "\r\x1b[K");
    }

 private:
    SteadyClock::time_point m_begin = SteadyClock::now();
    SteadyClock::time_point m_last = m_begin;
    bool m_shown = false;
};

}  // namespace

std::vector<std::string> describeImport(const ImportReport& report, size_t badLines) {
    std::vector<std::string> lines;
    lines.push_back("Data: " + std::to_string(report.documents) +
                    (report.documents == 1 ? " document, " : " documents, ") +
                    formatBytes(static_cast<double>(report.textBytes)) + " of text, " +
                    formatCount(static_cast<double>(report.tokens)) + " tokens.");
    for (const std::string& note : report.notes)
        lines.push_back("Note: " + note);
    if (report.badLines > 0) {
        lines.push_back("Left out " + std::to_string(report.badLines) +
                        (report.badLines == 1 ? " line that" : " lines that") + " could not be used:");
        for (size_t i = 0; i < std::min(badLines, report.kept.size()); ++i)
            lines.push_back("  " + report.describe(report.kept[i]));
        if (report.badLines > static_cast<int64_t>(std::min(badLines, report.kept.size())))
            lines.emplace_back("  …");
    }
    return lines;
}

PreparedStore importData(const RunSpec& spec, const std::function<void(const std::string&)>& say) {
    ImportVoice voice;
    PreparedStore store = prepareStore(spec.data, spec.tokenizer, std::ref(voice));
    voice.finish();
    if (spec.data.files.empty())
        say("No data was named, so the sample corpus is trained on.");
    for (const std::string& line : describeImport(store.report, kShownBadLines))
        say(line);
    const TokenStore tokens = TokenStore::open(store.path);
    const SampleIndex enough(tokens, spec.model.sequenceLength, spec.data.validationFraction);
    return store;
}

}  // namespace unmask
