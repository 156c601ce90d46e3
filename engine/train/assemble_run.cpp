// SPDX-License-Identifier: Apache-2.0
#include "engine/train/assemble_run.h"

#include <string>

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

AssembledModel assembleModel(const RunSpec& spec, ModelUse use) {
    const bool training = use == ModelUse::training;
    AssembledModel made;
    made.spec = spec;
    made.tokenizer = makeTokenizer(spec.tokenizer);
    made.model = std::make_unique<Transformer>(resolvedModel(spec),
                                               modelStorage(spec, training ? Gradients::allocate : Gradients::none));
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

std::unique_ptr<ValidationBound> assembleValidation(const RunSpec& spec, const AssembledData& data,
                                                    const Tokenizer& tokenizer) {
    if (data.validation->batchesPerEpoch() == 0)
        return nullptr;
    return std::make_unique<ValidationBound>(
        *data.validation, makeObjective(spec.objective, keysOf(spec), tokenizer.mask()),
        ValidationOptions{
            .microRows = spec.effectiveMicroBatch(), .paddingId = tokenizer.padding(), .draws = spec.validation.draws});
}

std::unique_ptr<AssembledRun> assembleRun(const RunSpec& spec, const ImportedData& imported) {
    auto run = std::make_unique<AssembledRun>();
    static_cast<AssembledModel&>(*run) = assembleModel(spec, ModelUse::training);
    run->data = assembleData(spec, imported);
    run->objective = makeObjective(spec.objective, keysOf(spec), run->tokenizer->mask());
    run->optimizer = makeOptimizer(spec.optimizer, run->model->slabs());
    run->optimizer->setLossScale(spec.training.lossScale);
    run->validationBound = assembleValidation(spec, run->data, *run->tokenizer);
    return run;
}

std::vector<NamedTensor> weightsOf(const Transformer& model) {
    std::vector<NamedTensor> weights;
    for (const NamedParameter& parameter : model.namedParameters())
        weights.push_back({parameter.name, parameter.exact});
    return weights;
}

TrainingStateView stateOf(AssembledRun& run) {
    TrainingStateView view;
    view.weights = weightsOf(*run.model);
    for (const OptimizerState& state : run.optimizer->states())
        for (const NamedParameter& parameter : run.model->namedParameters())
            view.optimizer.push_back(
                {state.name + "." + parameter.name, state.slabs[static_cast<size_t>(parameter.slab)]
                                                        .narrow(0, parameter.offset, parameter.value.numel())
                                                        .view(parameter.value.sizes())});
    return view;
}

}  // namespace unmask
