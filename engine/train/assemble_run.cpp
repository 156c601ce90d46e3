// SPDX-License-Identifier: Apache-2.0
#include "engine/train/assemble_run.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "engine/objective/registry.h"
#include "engine/planner/plan.h"
#include "engine/sample/chain_denoiser.h"

namespace unmask {

namespace {

VocabularyLimit vocabularyLimit(const RunSpec& spec, const Tokenizer& tokenizer) {
    if (!spec.objective.excludeMaskLogit)
        return {};
    return {.used = tokenizer.vocabularySize(), .maskId = tokenizer.mask()};
}

SampleVocabulary sampleVocabulary(const Tokenizer& tokenizer) {
    return {.size = tokenizer.vocabularySize(),
            .mask = tokenizer.mask(),
            .endOfDocument = tokenizer.endOfDocument(),
            .suppressed = {tokenizer.padding()}};
}

NoiseKeys keysOf(const RunSpec& spec) {
    return NoiseKeys(static_cast<uint64_t>(spec.training.seed));
}

}  // namespace

AssembledModel assembleModel(const RunSpec& spec, ModelUse use, const ModelPlace& place) {
    const bool training = use == ModelUse::training;
    AssembledModel made;
    made.spec = spec;
    made.tokenizer = makeTokenizer(spec.tokenizer);
    ModelStorage storage = modelStorage(spec, training ? Gradients::allocate : Gradients::none);
    storage.part = place.part;
    if (place.copies > 1) {
        storage.slabMultiple = ReplicaTraffic::slabMultiple(place.copies);
        storage.gradientWindows = spec.parallel.zeroStage >= 2;
        storage.valueWindows = spec.parallel.zeroStage >= 3;
    }
    made.model = std::make_unique<Transformer>(resolvedModel(spec), storage);
    RunnerOptions options{.rows = spec.effectiveMicroBatch(),
                          .length = spec.model.sequenceLength,
                          .policy = blockPolicy(spec.parallel.activationCheckpointing),
                          .training = training,
                          .vocabulary = vocabularyLimit(spec, *made.tokenizer),
                          .zLoss = spec.objective.zLoss};
    if (!place.part.layers.empty()) {
        options.pipeline = stepPipeline(spec);
        options.stage = place.stage;
    }
    made.runner = std::make_unique<ChainRunner>(*made.model, options);
    if (made.model->device().is_cuda() && options.rows > 1) {  // there a batch is always computed whole
        options.rows = 1;
        options.training = false;
        made.samplingRunner = std::make_unique<ChainRunner>(*made.model, options);
    }
    ChainRunner& forSampling = made.samplingRunner ? *made.samplingRunner : *made.runner;
    made.sampler = std::make_unique<DenoisingSampler>(denoiserOf(forSampling), sampleVocabulary(*made.tokenizer),
                                                      spec.model.sequenceLength);
    return made;
}

std::vector<std::string> refuseWhatCannotRun(const RunSpec& spec) {
    const Hardware hardware = detectHardware();
    const Plan plan = planRun(spec, hardware);
    std::vector<std::string> warnings;
    std::string errors;
    for (const Problem& problem : plan.problems)
        if (problem.severity == Severity::error)
            errors += (errors.empty() ? "" : "; ") + problem.en;
        else
            warnings.push_back(problem.en);
    if (plan.verdict.fits == false)
        throw Error{planTarget(spec, hardware).gpu ? ErrorCode::gpuOutOfMemory : ErrorCode::hostOutOfMemory,
                    "[train] " + plan.verdict.en};
    if (!errors.empty())
        throw Error{ErrorCode::badInput, "[train] " + errors};
    return warnings;
}

ImportedData importData(const RunSpec& spec, const ImportCallback& progress, const PrepareOptions& options) {
    ImportedData imported{prepareStore(spec.data, spec.tokenizer, progress, options), std::nullopt};
    if (!spec.data.validationFiles.empty()) {
        DataConfig validation = spec.data;
        validation.files = spec.data.validationFiles;
        imported.validation = prepareStore(validation, spec.tokenizer, progress, options);
    }
    return imported;
}

AssembledData assembleData(const RunSpec& spec, const ImportedData& imported) {
    const int64_t length = spec.model.sequenceLength;
    const bool own = imported.validation.has_value();
    AssembledData data;
    data.store = std::make_unique<TokenStore>(TokenStore::open(imported.training.path));
    data.index = std::make_unique<SampleIndex>(*data.store, length, own ? 0 : spec.data.validationFraction);
    if (own) {
        data.validationStore = std::make_unique<TokenStore>(TokenStore::open(imported.validation->path));
        data.validationIndex = std::make_unique<SampleIndex>(*data.validationStore, length, 1);
    }
    SamplerOptions options{.seed = static_cast<uint64_t>(spec.training.seed),
                           .batchRows = spec.training.batchSize,
                           .variableLengthFraction = spec.data.variableLengthFraction};
    data.training = std::make_unique<Sampler>(Sampler::training(*data.index, options));
    options.maxSamples = spec.validation.samples;
    data.validation =
        std::make_unique<Sampler>(Sampler::validation(own ? *data.validationIndex : *data.index, options));
    data.stepsPerEpoch = data.training->batchesPerEpoch();
    data.dataHash = imported.training.dataHash;
    data.tokenizerHash = imported.training.tokenizerHash;
    return data;
}

RowShare rowShare(const RankTeam* team) {
    if (!team)
        return {};
    return {.part = team->mesh().place(MeshDimension::data), .parts = team->mesh().size(MeshDimension::data)};
}

PipelineShape stepPipeline(const RunSpec& spec) {
    const int64_t rows = RowShare{.parts = spec.parallel.dataParallelSize}.rowsOf(spec.training.batchSize);
    const int64_t micro = std::max<int64_t>(1, spec.effectiveMicroBatch());
    return pipelineShape(spec.parallel, (rows + micro - 1) / micro);
}

ModelPart stagePart(const RunSpec& spec, int64_t stage) {
    ModelPart part;
    const PipelineShape pipeline = stepPipeline(spec);
    if (pipeline.stages == 1)
        return part;
    part.embedding = stage == 0;
    part.head = stage + 1 == pipeline.stages;
    for (int64_t chunk = 0; chunk < pipeline.chunks; ++chunk)
        for (const int64_t layer : layersOfPiece(spec.model.layers, pipeline, pipeline.pieceOf(stage, chunk)))
            part.layers.push_back(layer);
    return part;
}

ModelPlace modelPlace(const RunSpec& spec, const RankTeam* team) {
    if (!team)
        return {};
    const Mesh& mesh = team->mesh();
    ModelPlace place{.copies = mesh.size(MeshDimension::data), .stage = mesh.place(MeshDimension::pipeline)};
    place.part = stagePart(spec, place.stage);
    place.part.tensorParts = mesh.size(MeshDimension::tensor);
    place.part.tensorPart = mesh.place(MeshDimension::tensor);
    return place;
}

std::unique_ptr<ValidationBound> assembleValidation(const RunSpec& spec, const AssembledData& data,
                                                    const Tokenizer& tokenizer, RankTeam* team) {
    if (data.validation->batchesPerEpoch() == 0)
        return nullptr;
    return std::make_unique<ValidationBound>(
        *data.validation, makeObjective(spec.objective, keysOf(spec), tokenizer.mask()),
        ValidationOptions{.microRows = spec.effectiveMicroBatch(),
                          .paddingId = tokenizer.padding(),
                          .draws = spec.validation.draws,
                          .share = rowShare(team),
                          .sum = team ? [team](std::span<double> sums) { team->replicas().sum(sums); }
                                      : std::function<void(std::span<double>)>()});
}

namespace {

void joinStages(AssembledRun& run, RankTeam& team) {
    run.runner->setTraffic(nullptr);  // gradients go to the copies when all micro-batches are through
    run.stages = std::make_unique<StageChain>(team.stages(), team.ends());
    run.runner->linkStages(run.stages.get());
    if (run.model->config().tiedHead && team.ends().size() > 1)
        run.stages->watchTied(run.replicas->owned().front().gradients);
}

void joinOthers(AssembledRun& run, RankTeam& team) {
    Transformer& model = *run.model;
    const int64_t stage =
        team.replicas().size() > 1 ? run.spec.parallel.zeroStage : 0;  // alone there is nobody to share with
    run.replicas = std::make_unique<ReplicaTraffic>(team.replicas(), model.slabs(), stage);
    run.runner->setTraffic(run.replicas.get());
    if (team.stages().size() > 1)
        joinStages(run, team);
    if (team.sharers().size() == 1)
        return;
    run.sharers = std::make_unique<LayerSharers>(team.sharers());
    run.runner->shareLayers(run.sharers.get());
    std::vector<at::Tensor> gradients;
    std::vector<int64_t> begins;
    for (size_t slab = 0; slab < model.slabs().size(); ++slab) {
        gradients.push_back(run.replicas->owned()[slab].gradients);
        begins.push_back(run.replicas->ownedBegin(slab));
    }
    run.sharers->watch(model, gradients, begins);
}

// Of this rank's part of the gradients → of all parts, each parameter once.
double squaresOfAll(const AssembledRun& run, double squares) {
    if (run.stages)
        squares -= run.stages->squaresCountedElsewhere();
    if (run.sharers)
        squares -= run.sharers->squaresCountedElsewhere();
    run.team->stages().sum(std::span(&squares, 1));
    run.team->sharers().sum(std::span(&squares, 1));
    if (run.replicas->shares())
        run.team->replicas().sum(std::span(&squares, 1));
    return squares;
}

}  // namespace

std::unique_ptr<AssembledRun> assembleRun(const RunSpec& spec, const ImportedData& imported, RankTeam* team) {
    auto run = std::make_unique<AssembledRun>();
    run->team = team;
    static_cast<AssembledModel&>(*run) = assembleModel(spec, ModelUse::training, modelPlace(spec, team));
    Transformer& model = *run->model;
    if (team)
        joinOthers(*run, *team);
    run->data = assembleData(spec, imported);
    run->objective = makeObjective(spec.objective, keysOf(spec), run->tokenizer->mask());
    run->optimizer = makeOptimizer(spec.optimizer, team ? run->replicas->owned() : model.slabs());
    if (team)
        run->optimizer->sumSquaresBy([objects = run.get()](double squares) { return squaresOfAll(*objects, squares); });
    run->optimizer->setLossScale(spec.training.lossScale);
    run->validationBound = assembleValidation(spec, run->data, *run->tokenizer, team);
    return run;
}

void initialise(AssembledRun& run) {
    run.model->initialise(static_cast<uint64_t>(run.spec.training.seed), [&](size_t slab) {
        if (run.replicas)
            run.replicas->keepValues(slab);
    });
}

}  // namespace unmask
