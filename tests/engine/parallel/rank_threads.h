// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of the test's process, each with its own end of a real meeting.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/parallel/rendezvous.h"
#include "tests/support/temp_run.h"

namespace unmask::test {

// Runs `act(rank, rendezvous)` on each of `worldSize` threads. Returns what went wrong, by rank; empty is well.
inline std::vector<std::string> onRanks(int worldSize, const std::function<void(int, Rendezvous&)>& act,
                                        std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    // c10d's flight recorder is one a process and counts on one rank there.
    setenv("TORCH_FR_BUFFER_SIZE", "0", 1);
    const TempFolder folder;
    std::vector<std::string> failures(static_cast<size_t>(worldSize));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < worldSize; ++rank)
        threads.emplace_back([&, rank] {
            try {
                Rendezvous rendezvous({.file = folder.path() / "meeting"}, worldSize, rank, timeout);
                act(rank, rendezvous);
            } catch (const std::exception& error) {
                failures[static_cast<size_t>(rank)] = error.what();
            }
        });
    for (std::thread& each : threads)
        each.join();
    return failures;
}

}  // namespace unmask::test
