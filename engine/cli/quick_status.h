// SPDX-License-Identifier: Apache-2.0
// How a run stands, from its small files and the end of its journal: the word that RunObserver will find too, in
// milliseconds and not in the seconds that folding a journal of a hundred thousand records takes.
#pragma once

#include "engine/journal/run_state.h"

namespace unmask {

struct QuickLook {
    RunStatus status;
    JournalSummary tail;  // the journal's last records, folded; figures that stand further up are missing
};
QuickLook lookQuickly(const RunFolder& folder);

inline RunStatus quickStatus(const RunFolder& folder) {
    return lookQuickly(folder).status;
}

}  // namespace unmask
