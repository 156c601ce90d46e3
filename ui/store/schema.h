// SPDX-License-Identifier: Apache-2.0
// Tables of the index and the steps from one version to the next. Points are kept twice over: the newest frames as
// rows, older ones as blobs of 4096 frames, a column of values a series beside the columns that all series share. So a
// record costs one row to write, and a curve of a million points a few hundred blobs to read.
#pragma once

#include <QStringList>
#include <vector>

namespace unmask::ui {

inline constexpr int kHistoryApplicationId = 0x554d534b;  // "UMSK"

// Statements that lead from version i to i + 1.
const std::vector<QStringList>& schemaSteps();
inline int schemaVersion() {
    return static_cast<int>(schemaSteps().size());
}

}  // namespace unmask::ui
