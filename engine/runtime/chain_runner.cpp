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
    return shape;
}

void fillPositions(const SegmentLayout& layout, const at::Tensor& positions) {
    int32_t* p = positions.data_ptr<int32_t>();
    std::fill(p, p + positions.numel(), 0);
    for (const Segment& segment : layout.segments)
        for (int64_t i = 0; i < segment.length; ++i)
            p[segment.begin + i] = static_cast<int32_t>(i);
}

// bounds: all tokens are queries. scoredBounds: queries are the scored rows that lie in the segment.
void fillBounds(const SegmentLayout& layout, const at::Tensor& scoredRows, const at::Tensor& bounds,
                const at::Tensor& scoredBounds) {
    const int64_t* rows = scoredRows.data_ptr<int64_t>();
    const int64_t* end = rows + scoredRows.numel();
    const int64_t* next = rows;
    int32_t* all = bounds.data_ptr<int32_t>();
    int32_t* scored = scoredBounds.data_ptr<int32_t>();
    for (const Segment& segment : layout.segments) {
        const auto first = static_cast<int32_t>(segment.begin);
        const auto last = static_cast<int32_t>(segment.begin + segment.length);
        const int64_t* from = std::lower_bound(next, end, segment.begin);
        next = std::lower_bound(from, end, segment.begin + segment.length);
        for (const int32_t value : {first, last, first, last})
            *all++ = value;
        for (const int32_t value : {static_cast<int32_t>(from - rows), static_cast<int32_t>(next - rows), first, last})
            *scored++ = value;
    }
}

void fillScoredPositions(const at::Tensor& positions, const at::Tensor& scoredRows, const at::Tensor& out) {
    const int32_t* from = positions.data_ptr<int32_t>();
    const int64_t* rows = scoredRows.data_ptr<int64_t>();
    int32_t* to = out.data_ptr<int32_t>();
    for (int64_t i = 0; i < scoredRows.numel(); ++i)
        to[i] = from[rows[i]];
}

}  // namespace

bool StepLoss::finite() const {
    return std::isfinite(loss);
}

struct ChainRunner::State {
    Transformer& model;
    RunnerOptions options;
    StepShape shape;
    StepBuffers buffers;
    StepContext context;               // of the present micro-batch
    std::vector<SavedBuffers> blocks;  // of the present micro-batch
    at::Tensor tokens;                 // (N)

    State(Transformer& transformer, const RunnerOptions& runnerOptions)
        : model(transformer),
          options(runnerOptions),
          shape(stepShape(transformer, runnerOptions)),
          buffers(transformer.config(), shape, runnerOptions.policy, transformer.type()) {
        rotaryTable(buffers.work(0, 0)[W::rotary], model.config().ropeBase);
    }

    void prepare(const StepInput& input);
    Stream forward();
    void backward(at::Tensor gradient);
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
    if (at::get_num_threads() > shape.threads)
        fail("more threads than the " + std::to_string(shape.threads) + " that the buffers were planned for");
    checkSegments(input.segments);
    checkRows(input.scoredRows, n);
}

void ChainRunner::State::prepare(const StepInput& input) {
    check(input);
    const int64_t n = input.segments.tokens();
    const int64_t r = input.scoredRows.numel();
    const auto segments = static_cast<int64_t>(input.segments.segments.size());
    tokens = input.tokens.reshape({n});
    context.work = buffers.work(n, r);
    context.scoredRows = input.scoredRows;
    const at::Tensor& bounds = context.work[W::segmentBounds];
    context.bounds = bounds.narrow(0, 0, segments);
    context.scoredBounds = bounds.narrow(0, segments, segments);
    context.attentionScratchElements = attentionScratchElements(model.config(), shape);
    fillPositions(input.segments, context.work[W::positions]);
    fillScoredPositions(context.work[W::positions], input.scoredRows, context.work[W::scoredPositions]);
    fillBounds(input.segments, input.scoredRows, context.bounds, context.scoredBounds);
    blocks.clear();
    for (int64_t layer = 0; layer < model.config().layers; ++layer)
        blocks.push_back(buffers.block(layer, n, r));
}

Stream ChainRunner::State::forward() {
    Stream stream{blocks.front()[BlockBuffer::input], {}};
    model.embedding().forward(tokens, stream.x);
    for (size_t layer = 0; layer < blocks.size(); ++layer)
        stream = model.blocks()[layer]->forward(stream, blocks[layer], context);
    return stream;
}

void ChainRunner::State::backward(at::Tensor gradient) {
    for (size_t layer = blocks.size(); layer-- > 0;) {
        const Block& block = *model.blocks()[layer];
        const bool present = layer + 1 == blocks.size();  // its shared buffers still hold what forward left
        if (options.policy == BlockPolicy::recompute && !present)
            block.recompute(blocks[layer], context);
        if (options.policy == BlockPolicy::recomputeCheap && !present)
            block.restore(blocks[layer], context);
        gradient = block.backward(gradient, blocks[layer], context, BackwardPart::both);
    }
    model.embedding().backward(tokens, gradient);
}

ChainRunner::ChainRunner(Transformer& model, const RunnerOptions& options)
    : m_state(std::make_unique<State>(model, options)) {
    if (options.training && !model.slabs().front().gradients.defined())
        throw Error{ErrorCode::internal, "[runner] training needs a model with gradients"};
}
ChainRunner::~ChainRunner() = default;

StepLoss ChainRunner::forwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights) {
    State& s = *m_state;
    if (!s.options.training)
        throw Error{ErrorCode::internal, "[runner] this runner was planned without a backward pass"};
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    s.prepare(input);
    StepLoss result{0, s.context.work[W::rowLosses]};
    if (input.scoredRows.numel() == 0)
        return result;
    const Stream stream = s.forward();
    const at::Tensor gradient =
        s.model.head().lossesAndGradient(stream, targets, weights, s.options.vocabulary, s.context);
    s.backward(gradient);
    const double* losses = result.rowLosses.data_ptr<double>();
    const double* factors = weights.data_ptr<double>();
    for (int64_t i = 0; i < targets.numel(); ++i)
        result.loss += factors[i] * losses[i];
    return result;
}

at::Tensor ChainRunner::rowLosses(const StepInput& input, const at::Tensor& targets) {
    State& s = *m_state;
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    s.prepare(input);
    if (input.scoredRows.numel() > 0)
        s.model.head().losses(s.forward(), targets, s.options.vocabulary, s.context);
    return s.context.work[W::rowLosses];
}

at::Tensor ChainRunner::logits(const StepInput& input) {
    State& s = *m_state;
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    s.prepare(input);
    const at::Tensor out = at::empty({input.scoredRows.numel(), s.model.config().vocabularySize},
                                     at::TensorOptions().dtype(s.model.type()));
    if (out.numel() > 0)
        s.model.head().logits(s.forward(), s.options.vocabulary, s.context, out);
    return out;
}

int64_t ChainRunner::arenaBytes() const {
    return m_state->buffers.arena().used();
}

}  // namespace unmask
