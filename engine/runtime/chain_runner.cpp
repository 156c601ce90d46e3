// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/chain_runner.h"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/base/error.h"
#include "engine/ops/embedding.h"
#include "engine/ops/rotary.h"
#include "engine/runtime/chain_walk.h"
#include "engine/runtime/gpu_runner.h"
#include "engine/runtime/segment_bounds.h"
#include "engine/runtime/stage_walk.h"
#include "engine/runtime/step_buffers.h"

namespace unmask {

namespace {

using W = WorkBuffer;

StepShape stepShape(const Transformer& model, const RunnerOptions& options) {
    StepShape shape;
    shape.rows = options.rows;
    shape.length = options.length;
    shape.threads = at::get_num_threads();
    shape.elementBytes = static_cast<int64_t>(c10::elementSize(model.type()));
    shape.training = options.training;
    shape.gpu = model.device().is_cuda();
    shape.fp8 = model.fp8Scales().defined();
    shape.tensorParts = model.part().tensorParts;
    shape.blocks = static_cast<int64_t>(model.blocks().size());
    shape.lastBlock = model.holdsLastBlock();
    shape.splitBackward = options.pipeline && options.pipeline->schedule == PipelineSchedule::zeroBubble;
    if (shape.gpu)
        shape.scoredRows = scoredCapacity(options.rows, options.length);
    return shape;
}

void fillPositions(const SegmentLayout& layout, const at::Tensor& positions) {
    int32_t* p = positions.data_ptr<int32_t>();
    std::fill(p, p + positions.numel(), 0);
    for (const Segment& segment : layout.segments)
        for (int64_t i = 0; i < segment.length; ++i)
            p[segment.begin + i] = static_cast<int32_t>(i);
}

void fillScoredPositions(const at::Tensor& positions, const at::Tensor& scoredRows, const at::Tensor& out) {
    const int32_t* from = positions.data_ptr<int32_t>();
    const int64_t* rows = scoredRows.data_ptr<int64_t>();
    int32_t* to = out.data_ptr<int32_t>();
    for (int64_t i = 0; i < scoredRows.numel(); ++i)
        to[i] = from[rows[i]];
}

double weighedSum(const at::Tensor& rowLosses, const at::Tensor& weights) {
    const double* losses = rowLosses.data_ptr<double>();
    const double* factors = weights.data_ptr<double>();
    double sum = 0;
    for (int64_t i = 0; i < weights.numel(); ++i)
        sum += factors[i] * losses[i];
    return sum;
}

}  // namespace

bool StepLoss::finite() const {
    return std::isfinite(loss);
}

struct ChainRunner::State {
    RunnerOptions options;
    StepShape shape;
    StepBuffers buffers;
    ChainWalk walk;
    std::optional<StageWalk> stage;  // where the model has some of the layers
    std::unique_ptr<GpuRunner> gpu;  // where the model lies on a GPU

    State(Transformer& transformer, const RunnerOptions& runnerOptions)
        : options(runnerOptions),
          shape(stepShape(transformer, runnerOptions)),
          buffers(transformer.config(), shape, runnerOptions.policy, transformer.type(), transformer.device(),
                  runnerOptions.pipeline ? stageSets(*runnerOptions.pipeline, runnerOptions.stage) : 1),
          walk{transformer, runnerOptions.policy, {}, {}, {}, nullptr} {
        if (runnerOptions.pipeline)
            stage.emplace(walk, *runnerOptions.pipeline, runnerOptions.stage);
        rotaryTable(buffers.work(0, 0)[W::rotary], transformer.config().ropeBase);
        if (shape.gpu)
            gpu = std::make_unique<GpuRunner>(walk, buffers, shape, runnerOptions);
    }

    void prepare(const StepInput& input, int64_t set = 0);
    Stream forward();
    bool hasHead() const { return !stage || stage->isLast(); }
    void share(const at::Tensor& results) const;
    void check(const StepInput& input) const;
};

void ChainRunner::State::check(const StepInput& input) const {
    const int64_t n = input.segments.tokens();
    const auto fail = [](const std::string& what) { throw Error{ErrorCode::badInput, "[runner] " + what}; };
    if (n < 1 || n > shape.tokens() || input.segments.length > shape.length)
        fail("a batch of " + std::to_string(input.segments.rows) + " rows of " + std::to_string(input.segments.length) +
             " tokens is larger than the planned " + std::to_string(shape.rows) + " × " + std::to_string(shape.length));
    if (input.tokens.numel() != n)
        fail("the batch has " + std::to_string(input.tokens.numel()) + " tokens, its layout " + std::to_string(n));
    if (!shape.gpu && at::get_num_threads() > shape.threads)
        fail("more threads than the " + std::to_string(shape.threads) + " that the buffers were planned for");
    checkSegments(input.segments);
    checkRows(input.scoredRows, n);
}

void ChainRunner::State::prepare(const StepInput& input, int64_t set) {
    check(input);
    if (stage.has_value() == walk.model.part().layers.empty() || (stage && !stage->links()))
        throw Error{ErrorCode::internal, "[runner] a stage of a pipeline cannot walk alone"};
    if (partsOf(walk.context.sharers) != walk.model.part().tensorParts)
        throw Error{ErrorCode::internal, "[runner] a part of a model cannot walk alone"};
    const int64_t n = input.segments.tokens();
    const int64_t r = input.scoredRows.numel();
    const auto segments = static_cast<int64_t>(input.segments.segments.size());
    StepContext& context = walk.context;
    walk.tokens = input.tokens.reshape({n});
    context.work = buffers.work(n, r);
    context.scoredRows = input.scoredRows;
    context.share = input.share;
    const at::Tensor& bounds = context.work[W::segmentBounds];
    context.bounds = bounds.narrow(0, 0, segments);
    context.scoredBounds = bounds.narrow(0, segments, segments);
    context.attentionScratchElements = attentionScratchElements(walk.model.config(), shape);
    fillPositions(input.segments, context.work[W::positions]);
    fillScoredPositions(context.work[W::positions], input.scoredRows, context.work[W::scoredPositions]);
    writeSegmentBounds(input.segments.segments, {input.scoredRows.const_data_ptr<int64_t>(), static_cast<size_t>(r)},
                       context.bounds.data_ptr<int32_t>(), context.scoredBounds.data_ptr<int32_t>());
    walk.blocks.clear();
    for (int64_t block = 0; block < static_cast<int64_t>(walk.model.blocks().size()); ++block)
        walk.blocks.push_back(buffers.block(block, n, r, set));
}

Stream ChainRunner::State::forward() {
    return stage ? stage->forward() : walk.forward();
}

// Of a pipeline, the last stage's results on every stage.
void ChainRunner::State::share(const at::Tensor& results) const {
    if (stage && results.numel() > 0)
        stage->links()->shareLast(results);
}

ChainRunner::ChainRunner(Transformer& model, const RunnerOptions& options)
    : m_state(std::make_unique<State>(model, options)) {
    if (options.training && !model.slabs().front().gradients.defined())
        throw Error{ErrorCode::internal, "[runner] training needs a model with gradients"};
}
ChainRunner::~ChainRunner() = default;

StepLoss ChainRunner::forwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights) {
    State& s = *m_state;
    if (!s.options.training || s.stage)
        throw Error{ErrorCode::internal, "[runner] this runner was planned without a backward pass of one batch"};
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    StepLoss result;
    if (s.gpu) {
        s.check(input);
        result.rowLosses = s.gpu->forwardBackward(input, targets, weights);
    } else {
        s.prepare(input);
        result.rowLosses = s.walk.context.work[W::rowLosses];
        if (input.scoredRows.numel() > 0) {
            const Stream out = s.walk.forward();
            const at::Tensor gradient =
                s.walk.model.head().lossesAndGradient(out, targets, weights, s.options.loss(), s.walk.context);
            s.walk.headLeft();
            s.walk.backward(gradient);
        } else {
            s.walk.passBy(ChainWalk::Pass::forwardAndBackward);
        }
    }
    result.loss = weighedSum(result.rowLosses, weights);
    return result;
}

std::vector<StepLoss> ChainRunner::forwardBackward(const std::vector<StageBatch>& batches) {
    State& s = *m_state;
    if (!s.options.training || !s.stage)
        throw Error{ErrorCode::internal, "[runner] only a training stage of a pipeline takes a whole step"};
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    std::vector<StepLoss> results(batches.size());
    for (StepLoss& result : results)
        result.rowLosses = at::empty({0}, at::TensorOptions().dtype(at::kDouble));
    s.stage->run(batches, {[&](const StageBatch& batch, int64_t set) { s.prepare(batch.input, set); },
                           [&](size_t batch, const Stream& stream) {
                               const StageBatch& own = batches[batch];
                               const at::Tensor gradient = s.walk.model.head().lossesAndGradient(
                                   stream, own.targets, own.weights, s.options.loss(), s.walk.context);
                               results[batch].rowLosses = s.walk.context.work[W::rowLosses].clone();
                               results[batch].loss = weighedSum(results[batch].rowLosses, own.weights);
                               return gradient;
                           }});
    return results;
}

void ChainRunner::queueForwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights,
                                       const DeviceStep& step) {
    State& s = *m_state;
    if (!s.gpu || !s.options.training)
        throw Error{ErrorCode::internal, "[runner] only a training runner on a GPU queues its work"};
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    s.check(input);
    s.gpu->queueForwardBackward(input, targets, weights, step);
}

at::Tensor ChainRunner::rowLosses(const StepInput& input, const at::Tensor& targets) {
    State& s = *m_state;
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    if (s.gpu) {
        s.check(input);
        return s.gpu->rowLosses(input, targets);
    }
    s.prepare(input);
    if (input.scoredRows.numel() == 0) {
        s.walk.passBy(ChainWalk::Pass::forward);
        return s.walk.context.work[W::rowLosses];
    }
    const Stream out = s.forward();
    if (s.hasHead())
        s.walk.model.head().losses(out, targets, s.options.vocabulary, s.walk.context);
    s.share(s.walk.context.work[W::rowLosses]);
    return s.walk.context.work[W::rowLosses];
}

at::Tensor ChainRunner::logits(const StepInput& input) {
    State& s = *m_state;
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    if (s.gpu) {
        s.check(input);
        return s.gpu->logits(input);
    }
    s.prepare(input);
    const at::Tensor out = at::empty({input.scoredRows.numel(), s.walk.model.config().vocabularySize},
                                     at::TensorOptions().dtype(s.walk.model.type()));
    if (out.numel() == 0) {
        s.walk.passBy(ChainWalk::Pass::forward);
        return out;
    }
    const Stream stream = s.forward();
    if (s.hasHead())
        s.walk.model.head().logits(stream, s.options.vocabulary, s.walk.context, out);
    s.share(out);
    return out;
}

void ChainRunner::setTraffic(SlabTraffic* traffic) {
    if (traffic && m_state->gpu)
        throw Error{ErrorCode::internal, "[runner] a model on a GPU is not shared with other devices yet"};
    m_state->walk.traffic = traffic;
}

void ChainRunner::shareLayers(TensorGroup* sharers) {
    const ModelPart& part = m_state->walk.model.part();
    if (m_state->gpu || partsOf(sharers) != part.tensorParts || (sharers && sharers->part() != part.tensorPart))
        throw Error{ErrorCode::internal, "[runner] the devices do not have the slices of this model"};
    m_state->walk.context.sharers = part.tensorParts > 1 ? sharers : nullptr;
}

void ChainRunner::linkStages(StageLinks* links) {
    if (!m_state->stage)
        throw Error{ErrorCode::internal, "[runner] this runner is no stage of a pipeline"};
    m_state->stage->link(links);
}

void ChainRunner::passForwardBackward() {
    m_state->walk.passBy(ChainWalk::Pass::forwardAndBackward);
}

void ChainRunner::passForward() {
    m_state->walk.passBy(ChainWalk::Pass::forward);
}

int64_t ChainRunner::arenaBytes() const {
    return m_state->buffers.arena().used();
}

}  // namespace unmask
