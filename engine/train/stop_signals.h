// SPDX-License-Identifier: Apache-2.0
// SIGTERM and SIGINT as a wish to save and stop; a second one means: at once, without saving. SIGHUP (a closed
// terminal) and SIGPIPE are ignored: an engine outlives whoever watches it.
#pragma once

#include "engine/base/error.h"

namespace unmask {

struct StopSignal {
    int count = 0;                            // how many have come
    ErrorCode exitCode = ErrorCode::stopped;  // of the first: SIGINT stopped, SIGTERM preempted
};

void installStopSignals();
StopSignal stopSignal();

}  // namespace unmask
