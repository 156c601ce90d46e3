// SPDX-License-Identifier: Apache-2.0
// The only place that turns a spec into objects. Members are in the order in which they need each other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/training_state.h"
#include "engine/data/prepare_store.h"
#include "engine/data/sampler.h"
#include "engine/data/token_store.h"
#include "engine/eval/validation_bound.h"
#include "engine/objective/objective.h"
#include "engine/optimizer/optimizer.h"
#include "engine/parallel/layer_sharers.h"
#include "engine/parallel/rank_team.h"
#include "engine/parallel/replica_traffic.h"
#include "engine/parallel/stage_chain.h"
#include "engine/protocol/run_spec.h"
#include "engine/runtime/chain_runner.h"
#include "engine/sample/denoising_sampler.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/train/device_choice.h"

namespace unmask {

// What sampling and evaluation need of a run: the model without gradients.
struct AssembledModel {
    RunSpec spec;
    std::unique_ptr<Tokenizer> tokenizer;
    std::unique_ptr<Transformer> model;
    std::unique_ptr<ChainRunner> runner;
    std::unique_ptr<ChainRunner> samplingRunner;  // one row; null where `runner` serves as well
    std::unique_ptr<DenoisingSampler> sampler;
};

// Token stores of the files of a spec; made, or found in the cache.
struct ImportedData {
    PreparedStore training;
    std::optional<PreparedStore> validation;  // only where the spec names files for it
};

struct AssembledData {
    std::unique_ptr<TokenStore> store;
    std::unique_ptr<SampleIndex> index;
    std::unique_ptr<TokenStore> validationStore;  // null when the validation split comes from the same files
    std::unique_ptr<SampleIndex> validationIndex;
    std::unique_ptr<Sampler> training;
    std::unique_ptr<Sampler> validation;
    int64_t stepsPerEpoch = 0;
    std::string dataHash;
    std::string tokenizerHash;
};

struct AssembledRun : AssembledModel {
    RankTeam* team = nullptr;                  // null where this process trains alone
    std::unique_ptr<ReplicaTraffic> replicas;  // with a team
    std::unique_ptr<LayerSharers> sharers;     // where devices share each layer
    std::unique_ptr<StageChain> stages;        // where devices hold the layers one after another
    AssembledData data;
    std::unique_ptr<Objective> objective;
    std::unique_ptr<Optimizer> optimizer;
    std::unique_ptr<ValidationBound> validationBound;  // null when nothing is held back
};

// Problems of layout and memory as an error, before anything large is allocated. Returns warnings for people.
std::vector<std::string> refuseWhatCannotRun(const RunSpec& spec);

enum class ModelUse { inference, training };  // inference has no gradients and plans no backward pass
// Which of the processes that hold one model together this is.
struct ModelPlace {
    int64_t copies = 1;  // that share each batch
    int64_t stage = 0;
    ModelPart part;
};
AssembledModel assembleModel(const RunSpec& spec, ModelUse use, const ModelPlace& place = {});
ImportedData importData(const RunSpec& spec, const ImportCallback& progress = {}, const PrepareOptions& options = {});
AssembledData assembleData(const RunSpec& spec, const ImportedData& imported);
// team: the ranks that this process trains with; must outlive the run.
std::unique_ptr<AssembledRun> assembleRun(const RunSpec& spec, const ImportedData& imported, RankTeam* team = nullptr);
void initialise(AssembledRun& run);  // weights as the seed has them
RowShare rowShare(const RankTeam* team);
ModelPlace modelPlace(const RunSpec& spec, const RankTeam* team);
// The layers of a stage of the spec's pipeline, not cut; and the pipeline of a step.
ModelPart stagePart(const RunSpec& spec, int64_t stage);
PipelineShape stepPipeline(const RunSpec& spec);
std::unique_ptr<ValidationBound> assembleValidation(const RunSpec& spec, const AssembledData& data,
                                                    const Tokenizer& tokenizer, RankTeam* team = nullptr);

}  // namespace unmask
