// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/quick_status.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "engine/base/durable_file.h"

namespace unmask {
namespace {

constexpr off_t kTailBytes = 256 << 10;

// Whole lines near the end of a regular file; the first, which may have lost its beginning, fails its CRC.
std::string readTail(const std::filesystem::path& file) {
    const FileDescriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (!descriptor.valid() || fstat(descriptor.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return {};
    const off_t begin = std::max<off_t>(0, info.st_size - kTailBytes);
    std::string bytes(static_cast<size_t>(info.st_size - begin), '\0');
    const ssize_t got = pread(descriptor.get(), bytes.data(), bytes.size(), begin);
    bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, got)));
    return bytes;
}

double heartbeatAge(const RunState& state) {
    const double now = steadySecondsNow();
    const bool comparable = state.steadySeconds > 0 && state.steadySeconds <= now && state.process.bootId == bootId();
    return comparable ? now - state.steadySeconds : 0;
}

JournalSummary summariseTail(const RunFolder& folder) {
    JournalSummary summary;
    const int last = lastJournalFileNumber(folder);
    for (int number = std::max(1, last - 1); number <= last; ++number) {
        const std::string tail = readTail(journalFile(folder, number));
        for (size_t begin = 0, end = 0; (end = tail.find('\n', begin)) != std::string::npos; begin = end + 1) {
            const std::string_view line = std::string_view(tail).substr(begin, end - begin);
            const auto head = readLineHead(line);
            if (!head || head->seq <= summary.lastSeq)
                continue;
            if (const auto record = decodeRecord(line))
                addToSummary(summary, record.value());
        }
    }
    return summary;
}

}  // namespace

QuickLook lookQuickly(const RunFolder& folder) {
    RunEvidence evidence;
    const auto description = readRunDescription(folder);
    evidence.folderReadable = description.ok();
    if (description)
        evidence.plannedSteps = description.value().spec.training.steps;
    else
        evidence.folderProblem = description.error().what();
    struct stat info {};
    if (stat(folder.runFile().c_str(), &info) == 0)
        evidence.folderAgeSeconds = std::difftime(time(nullptr), info.st_mtime);
    // As in RunObserver: the end of a process is asked before the journal is read.
    evidence.holder = readLockHolder(folder);
    if (evidence.holder) {
        evidence.holderOnThisHost = evidence.holder->host == hostName();
        evidence.holderLife = lifeOf(evidence.holder->process);
    }
    evidence.state = readRunState(folder);
    if (evidence.state)
        evidence.heartbeatAgeSeconds = heartbeatAge(*evidence.state);
    evidence.exit = readExitRecord(folder);
    JournalSummary journal = summariseTail(folder);
    evidence.journal = &journal;
    RunStatus status = judgeRun(evidence);
    return {std::move(status), std::move(journal)};
}

}  // namespace unmask
