// SPDX-License-Identifier: Apache-2.0
// Appends records to events.jsonl: one complete write a record or batch, at the kept end offset, never buffered longer
// than a step. A short or failed write is cut back before anything else is written, so a reader never meets half a line
// that is not the last one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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
    ~EventWriter();

    // Thread-safe. Returns the seq given. On a full disk records are kept in memory (bounded) and tried again with the
    // next append; `Error(disk)` is thrown by sync() alone.
    int64_t append(int64_t step, Event event);
    void sync();                   // fdatasync; afterwards durableSeq() == lastSeq()
    int64_t lastSeq() const;       // last given
    int64_t durableSeq() const;    // last known to be on disk
    int64_t attempt() const;

   private:
    struct State;
    explicit EventWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace unmask
