// SPDX-License-Identifier: Apache-2.0
// What a checkpoint holds of a run, whatever parts of it this process has: files know no layout.
#pragma once

#include <vector>

#include "engine/train/assemble_run.h"

namespace unmask {

std::vector<NamedTensor> weightsOf(const Transformer& model);
// Everything a checkpoint holds but the counters, whatever the layout. Every rank asks; of a shared state the leading
// rank gets all of it and the others nothing. Tensors are those of the run, or new ones.
TrainingStateView stateOf(AssembledRun& run);
// The reverse, on every rank. Error(badInput) where the checkpoint is of another model.
void restoreInto(AssembledRun& run, const LoadedCheckpoint& checkpoint);

}  // namespace unmask
