// SPDX-License-Identifier: Apache-2.0
// The arguments that `train` and `start` share.
#pragma once

#include "engine/cli/prepare_run.h"

namespace unmask {

void addRunOptions(CLI::App& command, RunArguments& arguments);

}  // namespace unmask
