// SPDX-License-Identifier: Apache-2.0
#include "engine/model/attention.h"

#include "engine/ops/attention.h"
#include "engine/ops/embedding.h"
#include "engine/ops/rotary.h"

namespace unmask {

using B = BlockBuffer;
using W = WorkBuffer;

namespace {

AttentionArgs attentionArgs(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const SavedBuffers& saved, const StepContext& context) {
    AttentionArgs args;
    args.query = query;
    args.key = key;
    args.value = value;
    args.out = saved[B::attended];
    args.logSumExp = saved[B::logSumExp];
    args.scratch = context.work[W::attentionScratch];
    args.scratchElements = context.attentionScratchElements;
    args.longest = context.longest;
    return args;
}

}  // namespace

Attention::Attention(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix, Queries queries)
    : m_config(config),
      m_queryWidth(slab(prefix + "attention.query.weight").value.size(0)),
      m_keyWidth(slab(prefix + "attention.key.weight").value.size(0)),
      m_queries(queries),
      m_norm(slab, prefix + "attention.norm", config.normEpsilon),
      m_queryNorm(slab(prefix + "attention.query_norm.weight")),
      m_keyNorm(slab(prefix + "attention.key_norm.weight")),
      m_output(slab, {prefix + "attention.output"}, Sharding::row) {
    const std::string query = prefix + "attention.query";
    const std::string key = prefix + "attention.key";
    const std::string value = prefix + "attention.value";
    if (queries == Queries::all) {
        m_projection = Linear(slab, {query, key, value});
        return;
    }
    m_query = Linear(slab, {query});
    m_projection = Linear(slab, {key, value});
}

Attention::Heads Attention::heads(const at::Tensor& query, const at::Tensor& projected) const {
    const int64_t q = m_queryWidth;
    const int64_t k = m_keyWidth;
    if (m_queries == Queries::scored)
        return {query, projected.narrow(1, 0, k), projected.narrow(1, k, k)};
    return {projected.narrow(1, 0, q), projected.narrow(1, q, k), projected.narrow(1, q + k, k)};
}

// Query and key are neighbours and turn by the same angles, so that one pass does both.
bool Attention::turnsTogether() const {
    return m_queries == Queries::all && !m_config.qkNorm;
}

Attention::Gradients Attention::gradients(const SavedBuffers& saved, const StepContext& context) const {
    const at::Tensor& apart = context.work[W::projectedGradient];
    if (!apart.defined())
        return {saved[B::query], saved[B::projected]};
    if (m_queries == Queries::all)
        return {{}, apart};
    const at::Tensor flat = apart.flatten();  // key ‖ value of all tokens, then queries of the scored rows
    const at::Tensor& projected = saved[B::projected];
    const at::Tensor& query = saved[B::query];
    return {flat.narrow(0, projected.numel(), query.numel()).view(query.sizes()),
            flat.narrow(0, 0, projected.numel()).view(projected.sizes())};
}

Norm::Buffers Attention::normBuffers(const SavedBuffers& saved) const {
    return {saved[B::input], saved[B::normed1], saved[B::rstd1], saved[B::mean1]};
}

void Attention::project(SavedBuffers& saved, const StepContext& context) const {
    m_projection.forward({saved[B::normed1], saved[B::normed1Codes]}, saved[B::projected], context);
    if (m_queries == Queries::all)
        return;
    gatherRows(saved[B::normed1], context.scoredRows, saved[B::scoredNormed]);
    m_query.forward({saved[B::scoredNormed], saved[B::scoredNormedCodes]}, saved[B::query], context);
}

void Attention::rotate(SavedBuffers& saved, const StepContext& context) const {
    const Heads h = heads(saved[B::query], saved[B::projected]);
    const auto turn = [&](const at::Tensor& x, W positions, const Weight& norm, B raw, B rstd) {
        rotaryForward({.x = x,
                       .positions = context.work[positions],
                       .table = context.work[W::rotary],
                       .headWidth = m_config.headWidth(),
                       .normWeight = norm.value,
                       .epsilon = m_config.normEpsilon,
                       .raw = saved[raw],
                       .rstd = saved[rstd]});
    };
    if (turnsTogether())
        return turn(saved[B::projected].narrow(1, 0, m_queryWidth + m_keyWidth), W::positions, {}, B::rawQuery,
                    B::queryRstd);
    const W queryPositions = m_queries == Queries::all ? W::positions : W::scoredPositions;
    turn(h.query, queryPositions, m_queryNorm, B::rawQuery, B::queryRstd);
    turn(h.key, W::positions, m_keyNorm, B::rawKey, B::keyRstd);
}

Stream Attention::forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const {
    m_norm.forward(in, normBuffers(saved));
    project(saved, context);
    rotate(saved, context);
    const Heads h = heads(saved[B::query], saved[B::projected]);
    AttentionArgs args = attentionArgs(h.query, h.key, h.value, saved, context);
    args.headWidth = m_config.headWidth();
    args.bounds = m_queries == Queries::all ? context.bounds : context.scoredBounds;
    args.dense = m_queries == Queries::all && context.dense;
    attentionForward(args);
    const at::Tensor delta = context.rowsOf(W::delta, saved[B::attended].size(0));
    m_output.forward({saved[B::attended], saved[B::attendedCodes]}, delta, context);
    if (m_queries == Queries::all)
        return {saved[B::input], delta};
    gatherRows(saved[B::input], context.scoredRows, saved[B::middle]);
    return {saved[B::middle], delta};
}

void Attention::attendBack(const ResultGradient& gradient, SavedBuffers& saved, const StepContext& context) const {
    const at::Tensor gradientOut = context.matrixIn(W::delta, gradient.y.size(0), m_queryWidth);
    m_output.backwardInput(gradient, gradientOut, context);
    const Heads h = heads(saved[B::query], saved[B::projected]);
    AttentionArgs args = attentionArgs(h.query, h.key, h.value, saved, context);
    args.headWidth = m_config.headWidth();
    args.bounds = m_queries == Queries::all ? context.bounds : context.scoredBounds;
    args.dense = m_queries == Queries::all && context.dense;
    const Gradients made = gradients(saved, context);
    const Heads g = heads(made.query, made.projected);
    attentionBackward({args, gradientOut, g.query, g.key, g.value});
}

void Attention::rotateBack(SavedBuffers& saved, const StepContext& context) const {
    const Gradients made = gradients(saved, context);
    const Heads h = heads(made.query, made.projected);
    const auto turn = [&](const at::Tensor& gradient, W positions, const Weight& norm, B raw, B rstd) {
        rotaryBackward({.gradient = gradient,
                        .positions = context.work[positions],
                        .table = context.work[W::rotary],
                        .headWidth = m_config.headWidth(),
                        .normWeight = norm.value,
                        .raw = saved[raw],
                        .rstd = saved[rstd],
                        .normWeightGradient = norm.gradient,
                        .scratch = context.work[W::reduction]});
    };
    if (turnsTogether())
        return turn(made.projected.narrow(1, 0, m_queryWidth + m_keyWidth), W::positions, {}, B::rawQuery,
                    B::queryRstd);
    const W queryPositions = m_queries == Queries::all ? W::positions : W::scoredPositions;
    turn(h.query, queryPositions, m_queryNorm, B::rawQuery, B::queryRstd);
    turn(h.key, W::positions, m_keyNorm, B::rawKey, B::keyRstd);
}

// The queries of the last block: their part of the normed input's gradient is added to gradientNormed. Returns the
// gradient of the stream before the block, that of all rows.
at::Tensor Attention::queryBack(const at::Tensor& gradient, const at::Tensor& gradientNormed, const SavedBuffers& saved,
                                const StepContext& context, BackwardPart part) const {
    const ResultGradient query = m_query.resultGradient(gradients(saved, context).query, context);
    if (wantsWeight(part))
        m_query.backwardWeight(query, {saved[B::scoredNormed], saved[B::scoredNormedCodes]}, context);
    if (!wantsInput(part))
        return gradient;
    const at::Tensor before = context.work[W::gradient];
    const at::Tensor fromQueries = context.rowsOf(W::gradient, gradient.size(0));
    m_query.backwardInput(query, fromQueries, context);
    scatterAddRows(fromQueries, context.scoredRows, gradientNormed);
    before.zero_();
    scatterAddRows(gradient, context.scoredRows, before);
    return before;
}

at::Tensor Attention::projectBack(const at::Tensor& gradient, const SavedBuffers& saved, const StepContext& context,
                                  BackwardPart part) const {
    const ResultGradient projected = m_projection.resultGradient(gradients(saved, context).projected, context);
    if (wantsWeight(part) && !context.restoring)
        m_projection.backwardWeight(projected, {saved[B::normed1], saved[B::normed1Codes]}, context);
    const at::Tensor gradientNormed = context.rowsOf(W::delta, saved[B::normed1].size(0));
    if (wantsInput(part))
        m_projection.backwardInput(projected, gradientNormed, context);
    const at::Tensor before =
        m_queries == Queries::scored ? queryBack(gradient, gradientNormed, saved, context, part) : gradient;
    if (!wantsInput(part))
        return gradient;
    context.complete(gradientNormed);
    m_norm.backward(gradientNormed, normBuffers(saved), before, context.work[W::reduction], context.restoring);
    if (context.restoring)  // by now it is normed1
        m_projection.backwardWeight(projected, {gradientNormed, saved[B::normed1Codes]}, context, Linear::Copy::again);
    return before;
}

at::Tensor Attention::backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                               BackwardPart part) const {
    if (part == BackwardPart::input)
        saved[B::attentionGradient].copy_(gradient);
    const ResultGradient out =
        m_output.resultGradient(part == BackwardPart::weight ? saved[B::attentionGradient] : gradient, context);
    if (wantsInput(part)) {
        attendBack(out, saved, context);
        rotateBack(saved, context);
    }
    if (wantsWeight(part))
        m_output.backwardWeight(out, {saved[B::attended], saved[B::attendedCodes]}, context);
    return projectBack(gradient, saved, context, part);
}

}  // namespace unmask
