// SPDX-License-Identifier: Apache-2.0
// A training run without a model: real lock, journal and checkpoints, and an update that is a pure function of the
// state and the step. Small enough to be killed at each of its system calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/journal/run_folder.h"

namespace unmask::test {

// Lies in memory shared with a forked child, so that the parent knows what the child was promised before it died.
struct Promises {
    std::atomic<long> calls{0};           // counted by the fault library
    std::atomic<int64_t> appendedSeq{0};  // append() had returned
    std::atomic<int64_t> durableSeq{0};   // sync() had returned
    std::atomic<int64_t> savedStep{0};    // acknowledged
    std::atomic<int64_t> warnings{0};     // failed saves and syncs the run went on after
};

struct MiniatureOptions {
    int64_t steps = 12;
    int64_t saveEvery = 4;
    int64_t keepLast = 2;
};

// Trains to the end or throws; goes on from the newest checkpoint. Returns the final weights.
std::vector<double> trainMiniature(const RunFolder& folder, const MiniatureOptions& options, Promises& promises);

// Loss by step as a chart would draw it: points beyond a resume are superseded. Fails the test on a number that comes
// twice or is missing. Broken lines are allowed where even the cutting back of a failed write was made to fail.
enum class BrokenLines { refused, allowed };
std::map<int64_t, double> shownCurve(const RunFolder& folder, BrokenLines broken = BrokenLines::refused);

}  // namespace unmask::test
