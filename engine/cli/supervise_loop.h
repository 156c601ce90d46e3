// SPDX-License-Identifier: Apache-2.0
// The loop of a supervising process: signals, the worker's life, and something to do ten times a second.
#pragma once

#include <functional>

#include "engine/launch/supervisor.h"

namespace unmask {

// Starts the run and returns when all is over. `onSignal` hears of each signal before it is passed on.
void superviseUntilEnd(Supervisor& supervisor, const std::function<void()>& onTick,
                       const std::function<void(int signal, int count)>& onSignal);

}  // namespace unmask
