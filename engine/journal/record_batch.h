// SPDX-License-Identifier: Apache-2.0
// Decoded records on their way from a run folder to a reader's memory or index, with what is needed to prove that they
// continue the history already held: the number they follow and the mark of the last one.
#pragma once

#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/protocol/events.h"

namespace unmask {

// Tells whether two readers saw the same record: the checksum covers its time in nanoseconds.
struct RecordMark {
    int64_t seq = 0;  // 0: nothing read yet
    int64_t attempt = 0;
    uint32_t crc = 0;
    bool operator==(const RecordMark&) const = default;
};

struct RecordBatch {
    bool fromStart = false;  // a full reading: what was held before is void
    int64_t afterSeq = 0;    // last number the sender had seen before this batch
    std::vector<EventRecord> records;
    RecordMark last;                   // of the newest record
    std::vector<std::string> damages;  // sentences about lines that were not records
};
using RecordBatchPtr = std::shared_ptr<const RecordBatch>;

// The checksum that a journal line states in its last 18 bytes ,"crc":"hhhhhhhh"}; 0 when there is none.
inline uint32_t statedCrc(std::string_view line) {
    uint32_t crc = 0;
    if (line.size() >= 18 && line.substr(line.size() - 18, 8) == ",\"crc\":\"")
        std::from_chars(line.data() + line.size() - 10, line.data() + line.size() - 2, crc, 16);
    return crc;
}

// Adds the record of one line; a line that is damaged or not understood becomes a sentence in `damages`.
inline void appendLine(RecordBatch& batch, std::string_view line) {
    auto record = decodeRecord(line);
    if (!record) {
        batch.damages.emplace_back(record.error().what());
        return;
    }
    batch.last = {record.value().seq, record.value().attempt, statedCrc(line)};
    batch.records.push_back(std::move(record).value());
}

}  // namespace unmask
