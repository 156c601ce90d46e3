// SPDX-License-Identifier: Apache-2.0
// How an attempt ended, in words: from its end record where it wrote one, else from its signal or its last output.
#pragma once

#include <cstdint>
#include <string>

#include "engine/journal/run_state.h"
#include "engine/launch/child_process.h"

namespace unmask {

// Where the run stood when the attempt began.
struct AttemptStart {
    int64_t lastSeq = 0;
    int64_t lastAttempt = 0;
    int64_t logBytes = 0;  // size of logs/rank-0.log
    std::string newestCheckpoint;
};
AttemptStart noteAttemptStart(const RunFolder& folder);

struct AttemptEnd {
    ExitRecord record;
    bool wroteRecords = false;  // the worker came as far as its journal
    bool acknowledged = false;  // it saved a checkpoint
};
AttemptEnd describeEnd(const RunFolder& folder, const ExitStatus& status, const AttemptStart& start);

std::filesystem::path rankLog(const RunFolder& folder, int rank);
// The last lines (at most `lines`) that were appended to the file from `fromByte` on, valid UTF-8, joined by newlines.
std::string logTail(const std::filesystem::path& file, int64_t fromByte, int lines);

}  // namespace unmask
