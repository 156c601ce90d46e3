// SPDX-License-Identifier: Apache-2.0
// Appends records to events.jsonl: one complete write a record, at the kept end offset. A short or failed write is cut
// back before anything else is written, so a reader never meets half a line that is not the last one. What is not yet
// durable stays in memory, and after a failed fdatasync it is written again into a new file (events-2.jsonl, …).
#pragma once

#include <cstdint>
#include <memory>

#include "engine/journal/run_folder.h"
#include "engine/protocol/events.h"

namespace unmask {

class EventWriter {
 public:
    // Opens for appending, after the lock is held. Cuts a torn tail (copied to events.torn-<offset> first) and goes on
    // after the last good seq.
    static EventWriter open(const RunFolder& folder, int64_t attempt);
    EventWriter(EventWriter&&) noexcept;
    EventWriter& operator=(EventWriter&&) noexcept;
    ~EventWriter();  // a last sync, whose failure nobody hears of: call sync() before

    // Thread-safe. Returns the seq given. On a full disk records are kept in memory (bounded) and tried again with the
    // next append; device, log and sample records beyond the bound are dropped and counted in a warning record, all
    // others throw Error(disk). Also throws when a later attempt has written to the journal: this process must end.
    int64_t append(int64_t step, Event event);
    // fdatasync; afterwards every record given before the call is durable, or Error(disk) names volume and bytes.
    // Call it once a second from a thread that may wait for the disk: append() is not held up by it.
    void sync();
    int64_t lastSeq() const;     // last given
    int64_t durableSeq() const;  // last known to be on disk
    int64_t attempt() const;

 private:
    class State;
    explicit EventWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace unmask
