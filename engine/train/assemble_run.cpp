// SPDX-License-Identifier: Apache-2.0
#include "engine/train/assemble_run.h"

#include <ATen/ops/zeros_like.h>

#include <functional>
#include <iterator>
#include <map>
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

ModelPlace modelPlace(const RankTeam* team) {
    if (!team)
        return {};
    const Mesh& mesh = team->mesh();
    return {.copies = mesh.size(MeshDimension::data),
            .part = {.tensorParts = mesh.size(MeshDimension::tensor), .tensorPart = mesh.place(MeshDimension::tensor)}};
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

void joinOthers(AssembledRun& run, RankTeam& team) {
    Transformer& model = *run.model;
    const int64_t stage =
        team.replicas().size() > 1 ? run.spec.parallel.zeroStage : 0;  // alone there is nobody to share with
    run.replicas = std::make_unique<ReplicaTraffic>(team.replicas(), model.slabs(), stage);
    run.runner->setTraffic(run.replicas.get());
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
    if (run.sharers) {
        squares -= run.sharers->squaresCountedElsewhere();
        run.team->sharers().sum(std::span(&squares, 1));
    }
    if (run.replicas->shares())
        run.team->replicas().sum(std::span(&squares, 1));
    return squares;
}

}  // namespace

std::unique_ptr<AssembledRun> assembleRun(const RunSpec& spec, const ImportedData& imported, RankTeam* team) {
    auto run = std::make_unique<AssembledRun>();
    run->team = team;
    static_cast<AssembledModel&>(*run) = assembleModel(spec, ModelUse::training, modelPlace(team));
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

std::vector<NamedTensor> weightsOf(const Transformer& model) {
    std::vector<NamedTensor> weights;
    for (const NamedParameter& parameter : model.namedParameters())
        weights.push_back({parameter.name, parameter.exact});
    return weights;
}

namespace {

using SlabTensor = std::function<at::Tensor(size_t slab)>;
using ParameterTensor = std::function<at::Tensor(const NamedParameter& parameter, at::Tensor slice)>;

// Named slices of tensors that are as long as their slabs, each asked for once, in the order of the slabs. `complete`
// makes of a slice what is named.
std::vector<NamedTensor> slices(const Transformer& model, const std::string& prefix, const SlabTensor& tensorOf,
                                const ParameterTensor& complete = {}) {
    std::vector<NamedTensor> named;
    at::Tensor whole;
    int64_t slab = -1;
    for (const NamedParameter& parameter : model.namedParameters()) {
        if (parameter.slab != slab)
            whole = tensorOf(static_cast<size_t>(slab = parameter.slab));
        if (!whole.defined())
            continue;
        at::Tensor slice = whole.narrow(0, parameter.offset, parameter.value.numel()).view(parameter.value.sizes());
        if (complete)
            slice = complete(parameter, std::move(slice));
        if (slice.defined())
            named.push_back({prefix + parameter.name, std::move(slice)});
    }
    return named;
}

void append(std::vector<NamedTensor>& to, std::vector<NamedTensor> more) {
    std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

TrainingStateView stateOf(AssembledRun& run) {
    ReplicaTraffic* const replicas = run.replicas.get();
    LayerSharers* const sharers = run.sharers.get();
    const bool wanted = !run.team || run.team->leads();
    const bool ofLeadersCopy = !run.team || run.team->mesh().place(MeshDimension::data) == 0;
    const auto forCopy = [&](at::Tensor whole) { return ofLeadersCopy ? std::move(whole) : at::Tensor{}; };
    ParameterTensor complete;
    if (sharers)
        complete = [&](const NamedParameter& parameter, const at::Tensor& slice) {
            at::Tensor whole = sharers->whole(parameter.slice, slice);
            return wanted ? std::move(whole) : at::Tensor{};
        };
    TrainingStateView view;
    view.weights = slices(
        *run.model, "",
        [&](size_t slab) {
            const Slab& own = run.model->slabs()[slab];
            if (replicas)
                return forCopy(replicas->wholeValues(slab));
            return own.masters.defined() ? own.masters : own.values;
        },
        complete);
    for (const OptimizerState& state : run.optimizer->states())
        append(view.optimizer,
               slices(
                   *run.model, state.name + ".",
                   [&](size_t slab) {
                       const at::Tensor& own = state.slabs[slab];
                       return forCopy(replicas && replicas->shares() ? replicas->whole(slab, own) : own);
                   },
                   complete));
    return view;
}

namespace {

// What this rank holds of a state that copies do not share; views.
TrainingStateView ownState(AssembledRun& run) {
    TrainingStateView view;
    view.weights = weightsOf(*run.model);
    for (const OptimizerState& state : run.optimizer->states())
        append(view.optimizer, slices(*run.model, state.name + ".", [&](size_t slab) { return state.slabs[slab]; }));
    return view;
}

// The checkpoint as a device with a slice of each layer would have written it; views.
LoadedCheckpoint sliced(const LoadedCheckpoint& checkpoint, const AssembledRun& run) {
    LoadedCheckpoint part = checkpoint;
    const int64_t parts = run.model->part().tensorParts;
    std::map<std::string, const ParameterSlice*> byName;
    for (const NamedParameter& parameter : run.model->namedParameters()) {
        byName[parameter.name] = &parameter.slice;
        for (const OptimizerState& state : run.optimizer->states())
            byName[state.name + "." + parameter.name] = &parameter.slice;
    }
    for (std::vector<NamedTensor>* tensors : {&part.weights, &part.optimizer})
        for (NamedTensor& each : *tensors) {
            const auto found = byName.find(each.name);
            if (found == byName.end())
                continue;  // restoreState says so
            const ParameterSlice& slice = *found->second;
            const std::vector<int64_t> shape =
                slice.columns == 0 ? std::vector{slice.rows} : std::vector{slice.rows, slice.columns};
            if (each.tensor.sizes() != at::IntArrayRef(shape))
                throw Error{ErrorCode::badInput, "[train] " + checkpoint.folder +
                                                     " does not fit this model: " + each.name + " has another shape"};
            each.tensor = sliceOf(each.tensor, slice, parts);
        }
    return part;
}

}  // namespace

void restoreInto(AssembledRun& run, const LoadedCheckpoint& saved) {
    ReplicaTraffic* const replicas = run.replicas.get();
    const LoadedCheckpoint checkpoint = run.sharers ? sliced(saved, run) : saved;
    if (!replicas || !replicas->shares())
        return restoreState(checkpoint, ownState(run));
    // All of it once on every rank, then each keeps its part.
    std::vector<std::pair<at::Tensor, std::function<void(const at::Tensor&)>>> wholes;
    const auto blank = [&](size_t slab, std::function<void(const at::Tensor&)> keep) {
        const at::Tensor& like = run.model->slabs()[slab].values;
        return wholes.emplace_back(at::zeros_like(like), std::move(keep)).first;
    };
    TrainingStateView view;
    view.weights = slices(*run.model, "", [&](size_t slab) {
        return blank(slab, [=](const at::Tensor& whole) { replicas->setValues(slab, whole); });
    });
    for (const OptimizerState& state : run.optimizer->states())
        append(view.optimizer, slices(*run.model, state.name + ".", [&](size_t slab) {
                   return blank(slab, [=, own = state.slabs[slab]](const at::Tensor& whole) {
                       own.copy_(replicas->partOf(whole));
                   });
               }));
    restoreState(checkpoint, view);
    for (const auto& [whole, keep] : wholes)
        keep(whole);
}

}  // namespace unmask
