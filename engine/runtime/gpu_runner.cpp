// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/gpu_runner.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <bit>

#include "engine/ops/device_options.h"
#include "engine/ops/device_update.h"

namespace unmask {

using W = WorkBuffer;

namespace {

// Logits for sampling are made for so many rows, or a power of two: each other number would be a product of a new
// shape, and algorithms are searched once a shape.
constexpr uint64_t kLogitRows = 128;

// Rows [first, first + rows) of a batch as one of its own.
StepInput rowsOf(const StepInput& input, int64_t first, int64_t rows, int64_t scoredBegin, int64_t scoredEnd) {
    const int64_t length = input.segments.length;
    StepInput part;
    part.tokens = input.tokens.reshape({-1}).narrow(0, first * length, rows * length);
    part.segments = {.rows = rows, .length = length};
    for (const Segment& segment : input.segments.segments)
        if (segment.begin >= first * length && segment.begin < (first + rows) * length)
            part.segments.segments.push_back({segment.begin - first * length, segment.length});
    part.scoredRows = input.scoredRows.narrow(0, scoredBegin, scoredEnd - scoredBegin).sub(first * length);
    return part;
}

at::Tensor narrowed(const at::Tensor& values, int64_t begin, int64_t end) {
    return values.defined() ? values.narrow(0, begin, end - begin) : at::Tensor{};
}

}  // namespace

GpuRunner::GpuRunner(ChainWalk& walk, const StepBuffers& buffers, const StepShape& shape, const RunnerOptions& options)
    : m_walk(walk), m_shape(shape), m_options(options), m_staging(buffers, shape) {
    for (int64_t layer = 0; layer < walk.model.config().layers; ++layer)
        walk.blocks.push_back(buffers.block(layer, shape.tokens(), shape.headRows()));
    walk.tokens = m_staging.tokens();
}

std::vector<GpuRunner::Batch> GpuRunner::parts(const Batch& batch) const {
    const StepInput& input = batch.input;
    const int64_t scored = input.scoredRows.numel();
    if (scored <= m_shape.headRows() || input.segments.rows == 1)
        return {batch};
    const int64_t half = (input.segments.rows + 1) / 2;
    const int64_t* rows = input.scoredRows.const_data_ptr<int64_t>();
    const int64_t cut = std::lower_bound(rows, rows + scored, half * input.segments.length) - rows;
    std::vector<Batch> all;
    for (const bool first : {true, false}) {
        const int64_t begin = first ? 0 : cut;
        const int64_t end = first ? cut : scored;
        const Batch part{rowsOf(input, first ? 0 : half, first ? half : input.segments.rows - half, begin, end),
                         narrowed(batch.targets, begin, end), narrowed(batch.weights, begin, end)};
        for (Batch& each : parts(part))
            all.push_back(std::move(each));
    }
    return all;
}

void GpuRunner::stage(const Batch& batch) {
    m_layout = m_staging.stage(batch.input, batch.targets, batch.weights);
    m_walk.context = m_staging.context(m_layout);
}

void GpuRunner::train(const DeviceStep& step) {
    const WorkBuffers& work = m_walk.context.work;
    if (const at::Tensor scales = m_walk.model.fp8Scales(); scales.defined()) {
        rollFp8Scales(scales);
        const bool known = m_rangesKnown && !deviceOptions().deterministic;
        if (!deviceOptions().exact(ExactOp::products))
            m_walk.context.fp8 = known ? Fp8Range::known : Fp8Range::measured;
        m_rangesKnown = true;
    }
    LossOptions loss = m_options.loss();
    loss.gradientScale = step.gradientScale;
    m_walk.backward(m_walk.model.head().lossesAndGradient(m_walk.forward(), work[W::targets], work[W::rowWeights], loss,
                                                          m_walk.context));
    if (step.sums.defined())
        recordStep({.rowLosses = work[W::rowLosses], .weights = work[W::rowWeights], .sums = step.sums});
}

void GpuRunner::launch(const StagedLayout& layout, const DeviceStep& step) {
    const auto known =
        std::find_if(m_captured.begin(), m_captured.end(), [&](const Captured& each) { return each.layout == layout; });
    if (known == m_captured.end()) {
        train(step);  // shapes are searched and memory grows now, not while a graph is captured
        m_captured.push_back({layout, nullptr});
        return;
    }
    if (!deviceOptions().graphs)
        return train(step);
    if (!known->graph)
        known->graph = std::make_unique<GpuGraph>([&] { train(step); });
    known->graph->launch();
}

void GpuRunner::queueForwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights,
                                     const DeviceStep& step) {
    for (const Batch& part : parts({input, targets, weights})) {
        stage(part);
        launch(m_layout, step);
    }
}

at::Tensor GpuRunner::lossesToHost(int64_t rows) const {
    return m_walk.context.work[W::rowLosses].narrow(0, 0, rows).cpu();
}

at::Tensor GpuRunner::forwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights) {
    const at::Tensor losses = at::empty({input.scoredRows.numel()}, at::TensorOptions().dtype(at::kDouble));
    int64_t done = 0;
    for (const Batch& part : parts({input, targets, weights})) {
        stage(part);
        train({});
        const int64_t rows = part.input.scoredRows.numel();
        losses.narrow(0, done, rows).copy_(lossesToHost(rows));
        done += rows;
    }
    return losses;
}

at::Tensor GpuRunner::rowLosses(const StepInput& input, const at::Tensor& targets) {
    const at::Tensor losses = at::empty({input.scoredRows.numel()}, at::TensorOptions().dtype(at::kDouble));
    int64_t done = 0;
    for (const Batch& part : parts({input, targets, {}})) {
        const int64_t rows = part.input.scoredRows.numel();
        if (rows == 0)
            continue;
        stage(part);
        m_walk.model.head().losses(m_walk.forward(), m_walk.context.work[W::targets], m_options.vocabulary,
                                   m_walk.context);
        losses.narrow(0, done, rows).copy_(lossesToHost(rows));
        done += rows;
    }
    return losses;
}

at::Tensor GpuRunner::logits(const StepInput& input) {
    const int64_t rows = input.scoredRows.numel();
    const int64_t vocabulary = m_walk.model.config().vocabularySize;
    if (rows == 0)
        return at::empty({0, vocabulary}, at::TensorOptions().dtype(at::kFloat));
    if (rows > m_shape.headRows())
        throw Error{ErrorCode::internal, "[runner] more rows of logits are wanted than were planned"};
    stage({input, {}, {}});
    const int64_t made = std::min(
        m_shape.headRows(), static_cast<int64_t>(std::bit_ceil(std::max(static_cast<uint64_t>(rows), kLogitRows))));
    const at::Tensor out =
        at::empty({made, vocabulary}, at::TensorOptions().dtype(m_walk.model.type()).device(m_walk.model.device()));
    m_walk.model.head().logits(m_walk.forward(), m_options.vocabulary, m_walk.context, out);
    return out.narrow(0, 0, rows).to(at::kFloat).cpu();
}

}  // namespace unmask
