// SPDX-License-Identifier: Apache-2.0
// The subcommands of unmask-worker, one file each. Each adds itself to the command line and leaves behind what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "engine/base/error.h"

namespace unmask::worker {

using Action = std::function<ErrorCode()>;

void addRank(CLI::App& app, Action& action);
void addSample(CLI::App& app, Action& action);
void addEval(CLI::App& app, Action& action);
void addBench(CLI::App& app, Action& action);

}  // namespace unmask::worker
