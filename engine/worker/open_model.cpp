// SPDX-License-Identifier: Apache-2.0
#include "engine/worker/open_model.h"

#include <iostream>

#include "engine/base/text.h"
#include "engine/checkpoint/checkpoint_store.h"
#include "engine/train/live_settings.h"
#include "engine/train/whole_state.h"

namespace unmask::worker {

namespace {

// Only names of this form: nothing from outside becomes part of a path.
bool isCheckpointName(std::string_view name) {
    return name.starts_with("step-") && name.find('/') == std::string_view::npos &&
           parseInteger(name.substr(5)).has_value();
}

LoadedCheckpoint loadWeights(const RunFolder& folder, const std::string& checkpoint) {
    if (checkpoint.empty())
        return readNewestCheckpoint(folder, StateParts::weights);
    if (!isCheckpointName(checkpoint))
        throw Error{ErrorCode::badInput, "[worker] a checkpoint is named like step-900, not '" + checkpoint + "'"};
    return readCheckpoint(folder.checkpoints() / checkpoint, StateParts::weights);
}

}  // namespace

OpenModel openModel(const std::string& run, const std::string& checkpoint, int64_t microRows) {
    OpenModel open;
    open.folder = findRun(run).orThrow();
    open.description = readRunDescription(open.folder).orThrow();
    RunSpec spec = open.description.spec;
    replayChanges(spec, open.folder);
    spec.parallel.microBatchSize = microRows;
    prepareDevice(spec);
    const LoadedCheckpoint loaded = loadWeights(open.folder, checkpoint);
    for (const std::string& reason : loaded.passedOver)
        std::cerr << harmless(reason) << "; it is passed over for an older checkpoint" << std::endl;
    open.checkpoint = loaded.folder;
    open.step = loaded.step;
    open.model = assembleModel(spec, ModelUse::inference);
    restoreWeights(loaded, weightsOf(*open.model.model));
    return open;
}

}  // namespace unmask::worker
