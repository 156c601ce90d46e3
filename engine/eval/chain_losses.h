// SPDX-License-Identifier: Apache-2.0
// A model as the source of losses for textBound.
#pragma once

#include "engine/eval/text_bound.h"
#include "engine/runtime/chain_runner.h"

namespace unmask {

RowLosses lossesOf(ChainRunner& runner);  // the runner must outlive the function

}  // namespace unmask
