// SPDX-License-Identifier: Apache-2.0
// The curve of earlier attempts, as far as it still counts: a resume supersedes the points beyond its step.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/journal/run_folder.h"

namespace unmask {

struct PastPoint {
    int64_t step = 0;
    std::map<std::string, double> values;  // of the losses and the gradient norm alone
};

std::vector<PastPoint> pastPoints(const RunFolder& folder, int64_t upToStep);

}  // namespace unmask
