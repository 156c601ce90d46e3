// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trainer.h"

#include <limits>
#include <sstream>

#include "engine/base/clock.h"
#include "engine/journal/event_reader.h"
#include "engine/protocol/metric_names.h"
#include "engine/protocol/presets.h"
#include "engine/protocol/version.h"
#include "engine/train/assemble_run.h"
#include "engine/train/run_training.h"

namespace unmask {

Trainer::Trainer(const std::string& modelName, const ParallelConfig& parallel, std::filesystem::path checkpointPath)
    : m_spec(presetSpec(modelName).orThrow()), m_checkpointPath(std::move(checkpointPath)) {
    m_spec.parallel = parallel;
    m_spec.launch.name = modelName;
}

TrainingSummary Trainer::train(const std::filesystem::path& trainDataset,
                               const std::filesystem::path& validationDataset, int64_t epochs, int64_t batchSize) {
    const RunFolder folder{m_checkpointPath};
    const bool resume = std::filesystem::exists(folder.runFile());
    if (!resume) {
        m_spec.training.batchSize = batchSize;
        m_spec.data.files = {std::filesystem::absolute(trainDataset).string()};
        if (!validationDataset.empty())
            m_spec.data.validationFiles = {std::filesystem::absolute(validationDataset).string()};
        m_spec.training.steps = epochs * assembleData(m_spec, importData(m_spec)).stepsPerEpoch;
        createRunFolder(folder, {.id = newRunId(m_spec.launch.name),
                                 .name = m_spec.launch.name,
                                 .spec = m_spec,
                                 .codeVersion = std::string(codeVersion()),
                                 .created = utcNow()});
    }
    std::ostringstream errors;
    if (const ErrorCode code = runTraining({folder, resume, {}}, errors); code != ErrorCode::finished)
        throw Error{code, errors.str().substr(0, errors.str().find('\n'))};

    const JournalSummary journal = summariseJournal(folder);
    const auto validation = journal.lastValues.find(std::string(metric::kValidationLoss));
    return {.steps = journal.lastStep,
            .validationLoss =
                validation == journal.lastValues.end() ? std::numeric_limits<double>::quiet_NaN() : validation->second,
            .lastValues = journal.lastValues,
            .checkpoint = journal.savedCheckpoints.empty() ? std::filesystem::path()
                                                           : folder.checkpoints() / journal.savedCheckpoints.back()};
}

}  // namespace unmask
