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
    args.dense = context.dense;
    return args;
}

}  // namespace

Attention::Attention(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix, Queries queries)
    : m_config(config),
      m_queries(queries),
      m_norm(slab, prefix + "attention.norm", config.normEpsilon),
      m_queryNorm(slab(prefix + "attention.query_norm.weight")),
      m_keyNorm(slab(prefix + "attention.key_norm.weight")),
      m_output(slab, {prefix + "attention.output"}) {
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
    const int64_t c = m_config.width;
    const int64_t k = m_config.keyValueWidth();
    if (m_queries == Queries::scored)
        return {query, projected.narrow(1, 0, k), projected.narrow(1, k, k)};
    return {projected.narrow(1, 0, c), projected.narrow(1, c, k), projected.narrow(1, c + k, k)};
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
    m_projection.forward(saved[B::normed1], saved[B::projected]);
    if (m_queries == Queries::all)
        return;
    gatherRows(saved[B::normed1], context.scoredRows, saved[B::scoredNormed]);
    m_query.forward(saved[B::scoredNormed], saved[B::query]);
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
        return turn(saved[B::projected].narrow(1, 0, m_config.width + m_config.keyValueWidth()), W::positions, {},
                    B::rawQuery, B::queryRstd);
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
    attentionForward(args);
    const at::Tensor delta = context.rowsOf(W::delta, saved[B::attended].size(0));
    m_output.forward(saved[B::attended], delta);
    if (m_queries == Queries::all)
        return {saved[B::input], delta};
    gatherRows(saved[B::input], context.scoredRows, saved[B::middle]);
    return {saved[B::middle], delta};
}

void Attention::attendBack(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context) const {
    const at::Tensor gradientOut = context.rowsOf(W::delta, gradient.size(0));
    m_output.backwardInput(gradient, gradientOut);
    const Heads h = heads(saved[B::query], saved[B::projected]);
    AttentionArgs args = attentionArgs(h.query, h.key, h.value, saved, context);
    args.headWidth = m_config.headWidth();
    args.bounds = m_queries == Queries::all ? context.bounds : context.scoredBounds;
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
        return turn(made.projected.narrow(1, 0, m_config.width + m_config.keyValueWidth()), W::positions, {},
                    B::rawQuery, B::queryRstd);
    const W queryPositions = m_queries == Queries::all ? W::positions : W::scoredPositions;
    turn(h.query, queryPositions, m_queryNorm, B::rawQuery, B::queryRstd);
    turn(h.key, W::positions, m_keyNorm, B::rawKey, B::keyRstd);
}

void Attention::projectionWeights(const at::Tensor& normed, const SavedBuffers& saved,
                                  const StepContext& context) const {
    const Gradients made = gradients(saved, context);
    m_projection.backwardWeight(made.projected, normed, context.work[W::reduction]);
    if (m_queries == Queries::scored)
        m_query.backwardWeight(made.query, saved[B::scoredNormed], context.work[W::reduction]);
}

at::Tensor Attention::inputGradient(const at::Tensor& gradient, const SavedBuffers& saved,
                                    const StepContext& context) const {
    const at::Tensor gradientNormed = context.rowsOf(W::delta, saved[B::normed1].size(0));
    const Gradients made = gradients(saved, context);
    m_projection.backwardInput(made.projected, gradientNormed);
    at::Tensor before = gradient;
    if (m_queries == Queries::scored) {
        before = context.work[W::gradient];
        const at::Tensor fromQueries = context.rowsOf(W::gradient, gradient.size(0));
        m_query.backwardInput(made.query, fromQueries);
        scatterAddRows(fromQueries, context.scoredRows, gradientNormed);
        before.zero_();
        scatterAddRows(gradient, context.scoredRows, before);
    }
    m_norm.backward(gradientNormed, normBuffers(saved), before, context.work[W::reduction], context.restoring);
    if (context.restoring)  // by now it is normed1
        projectionWeights(gradientNormed, saved, context);
    return before;
}

at::Tensor Attention::backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                               BackwardPart part) const {
    if (part == BackwardPart::input)
        saved[B::attentionGradient].copy_(gradient);
    if (wantsInput(part)) {
        attendBack(gradient, saved, context);
        rotateBack(saved, context);
    }
    if (wantsWeight(part)) {
        const at::Tensor& out = part == BackwardPart::weight ? saved[B::attentionGradient] : gradient;
        m_output.backwardWeight(out, saved[B::attended], context.work[W::reduction]);
        if (!context.restoring)
            projectionWeights(saved[B::normed1], saved, context);
    }
    return wantsInput(part) ? inputGradient(gradient, saved, context) : gradient;
}

}  // namespace unmask
