// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/exit_report.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/journal/run_lock.h"
#include "engine/launch/worker_program.h"

namespace unmask {
namespace {

constexpr int64_t kTailBytes = 16 << 10;
constexpr int kNotLoadable = 127;  // of the system's loader when a library is missing

int64_t sizeOf(const std::filesystem::path& file) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    return failed ? 0 : static_cast<int64_t>(size);
}

std::string newestOf(const JournalSummary& journal) {
    return journal.savedCheckpoints.empty() ? std::string() : journal.savedCheckpoints.back();
}

int64_t newestAttempt(const RunFolder& folder, const JournalSummary& journal) {
    const auto holder = readLockHolder(folder);  // a worker may die between its lock and its first record
    return std::max(journal.lastAttempt, holder ? holder->attempt : 0);
}

std::string outcomeOf(const ExitStatus& status) {
    if (status.signal != 0)
        return "signal";
    switch (static_cast<ErrorCode>(status.code)) {
        case ErrorCode::finished:
            return "finished";
        case ErrorCode::stopped:
        case ErrorCode::preempted:
            return "stopped";
        default:
            return "failed";
    }
}

std::string signalReason(int signal) {
    std::string text = "the training process was ended by " + signalName(signal);
    if (signal == SIGKILL)
        text += " (somebody killed it, or the system ran out of memory)";
    if (signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGILL || signal == SIGFPE)
        text += " (a fault of the program or the machine)";
    return text;
}

// A full disk takes the log as well.
std::string reasonWithoutRecord(const RunFolder& folder, const ExitStatus& status, const std::string& output) {
    if (status.signal != 0)
        return signalReason(status.signal);
    if (status.code == kNotLoadable && !torchInstalled())
        return missingTorchSentence();
    if (!output.empty())
        return output;
    if (status.code == static_cast<int>(ErrorCode::disk))
        return "the disk takes no more; " + describeFreeSpace(folder.path);
    return "the training process ended with code " + std::to_string(status.code) + " without saying why";
}

}  // namespace

std::filesystem::path rankLog(const RunFolder& folder, int rank) {
    return folder.logs() / ("rank-" + std::to_string(rank) + ".log");
}

AttemptStart noteAttemptStart(const RunFolder& folder) {
    const JournalSummary journal = summariseJournal(folder);
    return {.lastSeq = journal.lastSeq,
            .lastAttempt = newestAttempt(folder, journal),
            .logBytes = sizeOf(rankLog(folder, 0)),
            .newestCheckpoint = newestOf(journal)};
}

AttemptEnd describeEnd(const RunFolder& folder, const ExitStatus& status, const AttemptStart& start) {
    const JournalSummary journal = summariseJournal(folder);
    AttemptEnd end;
    end.wroteRecords = journal.lastSeq > start.lastSeq && journal.lastAttempt > start.lastAttempt;
    end.acknowledged = end.wroteRecords && newestOf(journal) != start.newestCheckpoint;
    ExitRecord& record = end.record;
    record.attempt = std::max(newestAttempt(folder, journal), start.lastAttempt + 1);
    record.outcome = outcomeOf(status);
    const bool notLoadable = status.code == kNotLoadable && !end.wroteRecords;
    record.exitCode = notLoadable ? static_cast<int64_t>(ErrorCode::badInput) : status.asShellCode();
    record.lastStep = journal.lastStep;
    record.writtenAt = utcNow();
    if (end.wroteRecords && status.signal == 0 && journal.finished)
        record.reason = journal.finished->reason;
    else if (end.wroteRecords && status.signal == 0 && journal.failed)
        record.reason = journal.failed->reason;
    else
        record.reason = reasonWithoutRecord(folder, status, logTail(rankLog(folder, 0), start.logBytes, 5));
    return end;
}

std::string logTail(const std::filesystem::path& file, int64_t fromByte, int lines) {
    const int64_t size = sizeOf(file);
    const int64_t begin = std::max(fromByte, size - kTailBytes);
    if (begin >= size)
        return {};
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(begin);
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty())
            all.push_back(toValidUtf8(line));
    }
    const size_t first = all.size() > static_cast<size_t>(lines) ? all.size() - static_cast<size_t>(lines) : 0;
    std::string result;
    for (size_t i = first; i < all.size(); ++i)
        result += (result.empty() ? "" : "\n") + all[i];
    return result;
}

}  // namespace unmask
