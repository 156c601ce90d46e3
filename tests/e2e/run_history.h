// SPDX-License-Identifier: Apache-2.0
// What a viewer makes of a journal: the curve it shows, and whether everything it was once told still stands.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/journal/event_reader.h"
#include "engine/journal/run_folder.h"

namespace unmask::test {

// Shown points: those of earlier attempts beyond a resume are superseded.
class RunHistory {
 public:
    RunHistory() = default;
    explicit RunHistory(const RunFolder& folder);
    using Values = std::map<std::string, double>;
    const std::map<int64_t, Values>& curve() const { return m_curve; }
    // Numbers missing or out of order, points twice.
    const std::string& problems() const { return m_problems; }
    // Broken lines: only where even the cutting back of a failed write was made to fail.
    const std::string& damages() const { return m_damages; }
    // Compares the figures that do not depend on the clock, bit by bit; empty when all are equal.
    std::string firstDifference(const RunHistory& other) const;

 private:
    std::map<int64_t, Values> m_curve;
    std::string m_problems;
    std::string m_damages;
};

// Reads along while a run is trained and killed, like a studio with an open window, and remembers each line.
class JournalWitness {
 public:
    explicit JournalWitness(RunFolder folder);
    void look();
    size_t lines() const { return m_seen.size(); }
    // Reads everything anew and compares: each line once seen must be there, unchanged, once. Also every checkpoint
    // that was acknowledged and not removed must verify. Empty when all is well.
    std::string complaint();

 private:
    RunFolder m_folder;
    EventReader m_reader;
    std::map<int64_t, std::string> m_seen;
};

}  // namespace unmask::test
