// SPDX-License-Identifier: Apache-2.0
// The door through which pages see the history of runs: its values and its asynchronous interface, no SQL.
#pragma once

#include "ui/store/run_row.h"    // IWYU pragma: export
#include "ui/store/run_store.h"  // IWYU pragma: export
