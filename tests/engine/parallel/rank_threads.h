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

// Runs `act(rank, meeting place)` on each of `worldSize` threads. Returns what went wrong, by rank; empty is well.
inline std::vector<std::string> onRankThreads(int worldSize, const std::function<void(int, const MeetingPlace&)>& act) {
    // c10d's flight recorder is one a process and counts on one rank there.
    setenv("TORCH_FR_BUFFER_SIZE", "0", 1);
    const TempFolder folder;
    const MeetingPlace place{.file = folder.path() / "meeting"};
    std::vector<std::string> failures(static_cast<size_t>(worldSize));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < worldSize; ++rank)
        threads.emplace_back([&, rank] {
            try {
                act(rank, place);
            } catch (const std::exception& error) {
                failures[static_cast<size_t>(rank)] = error.what();
            }
        });
    for (std::thread& each : threads)
        each.join();
    return failures;
}

// The same with the meeting held.
inline std::vector<std::string> onRanks(int worldSize, const std::function<void(int, Rendezvous&)>& act,
                                        std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    return onRankThreads(worldSize, [&](int rank, const MeetingPlace& place) {
        Rendezvous rendezvous(place, worldSize, rank, timeout);
        act(rank, rendezvous);
    });
}

}  // namespace unmask::test
