// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/step_buffers.h"

#include <ATen/ops/as_strided.h>

#include <algorithm>

namespace unmask {

namespace {

using B = BlockBuffer;
using W = WorkBuffer;

enum class Rows { tokens, scored, none };

Rows rowsOf(B buffer, bool lastBlock) {
    if (buffer == B::expertBounds)
        return Rows::none;
    if (!lastBlock || buffer < B::scoredNormed || buffer == B::rawKey || buffer == B::keyRstd)
        return Rows::tokens;
    return Rows::scored;
}

Rows rowsOf(W buffer) {
    switch (buffer) {
        case W::delta:
        case W::gradient:
        case W::productGradient:
        case W::projectedGradient:
        case W::routeGradient:
        case W::tokens:
        case W::positions:
            return Rows::tokens;
        case W::scoredGradient:
        case W::headInput:
        case W::headNormed:
        case W::headRstd:
        case W::headMean:
        case W::rowLosses:
        case W::scoredRows:
        case W::targets:
        case W::rowWeights:
        case W::scoredPositions:
            return Rows::scored;
        default:
            return Rows::none;
    }
}

bool isVector(B buffer) {
    return buffer == B::rstd1 || buffer == B::mean1 || buffer == B::rstd2 || buffer == B::mean2;
}
bool isVector(W buffer) {
    switch (buffer) {
        case W::headRstd:
        case W::headMean:
        case W::rowLosses:
        case W::tokens:
        case W::scoredRows:
        case W::targets:
        case W::rowWeights:
        case W::positions:
        case W::scoredPositions:
            return true;
        default:
            return false;
    }
}

at::Tensor matrix(const at::Tensor& flat, int64_t rows, int64_t columns) {
    return at::as_strided(flat, {rows, columns}, {columns, 1}, flat.storage_offset());
}

// The first `rows` of a buffer planned for `plannedRows`.
template <class E>
at::Tensor cut(E which, const at::Tensor& flat, int64_t rows, int64_t plannedRows) {
    if (!flat.defined())
        return {};
    return isVector(which) ? flat.narrow(0, 0, rows) : matrix(flat, rows, flat.size(0) / plannedRows);
}

// 8-bit copies are cut to the shape of the product that they belong to.
bool isCodes(B buffer) {
    return buffer >= B::normed1Codes && buffer <= B::productCodes;
}

// `statistics`: the type of sums over rows, float on a GPU whatever the values are.
at::ScalarType typeOf(B buffer, at::ScalarType type, at::ScalarType statistics) {
    if (isCodes(buffer))
        return at::kByte;
    if (buffer >= B::routeExperts && buffer <= B::expertBounds)
        return at::kInt;
    return isVector(buffer) || buffer == B::queryRstd || buffer == B::keyRstd || buffer == B::logSumExp ? statistics
                                                                                                        : type;
}

at::ScalarType typeOf(W buffer, at::ScalarType type, at::ScalarType statistics) {
    switch (buffer) {
        case W::rowLosses:
        case W::rowWeights:
            return at::kDouble;
        case W::targets:
            return at::kLong;
        case W::tokens:
        case W::scoredRows:
        case W::positions:
        case W::scoredPositions:
        case W::segmentBounds:
            return at::kInt;
        case W::rowCodes:
        case W::transposedCodes:
        case W::weightCodes:
            return at::kByte;
        case W::headRstd:
        case W::headMean:
        case W::rotary:
            return statistics;
        default:
            return type;
    }
}

}  // namespace

StepBuffers::StepBuffers(const ModelConfig& model, const StepShape& shape, BlockPolicy policy, at::ScalarType type,
                         at::Device device, int64_t sets)
    : m_shape(shape),
      m_sets(sets),
      m_arena(stepMemory(model, shape, policy).total() + (sets - 1) * keptBytes(model, policy), device),
      m_heads(model.heads / shape.tensorParts) {
    takeBlocks(model, policy, type);
    const std::vector<BufferSize> work = workBuffers(model, shape);
    const at::ScalarType statistics = shape.gpu ? at::kFloat : type;
    int64_t stagingBegin = 0;
    for (size_t i = 0; i < work.size(); ++i) {
        if (static_cast<W>(i) == W::tokens)
            stagingBegin = m_arena.used();
        m_work.push_back(m_arena.take(work[i], typeOf(static_cast<W>(i), type, statistics)));
    }
    m_staging = m_arena.range(stagingBegin, m_arena.used());
    const auto shaped = [&](W which, int64_t columns) {
        at::Tensor& flat = m_work[static_cast<size_t>(which)];
        flat = matrix(flat, flat.size(0) / columns, columns);
    };
    shaped(W::logits, model.vocabularySize / shape.tensorParts);
    shaped(W::rotary, model.headWidth());
    shaped(W::segmentBounds, 4);
}

std::vector<std::vector<BufferSize>> StepBuffers::blockSizes(const ModelConfig& model) const {
    std::vector<std::vector<BufferSize>> sizes;
    const int64_t blocks = m_shape.blocks < 0 ? model.layers : m_shape.blocks;
    for (int64_t block = 0; block < blocks; ++block) {
        const bool last = m_shape.lastBlock && block + 1 == blocks;
        sizes.push_back(blockBuffers(model, m_shape, last, blockKind(model, model.layers - blocks + block)));
    }
    return sizes;
}

int64_t StepBuffers::keptBytes(const ModelConfig& model, BlockPolicy policy) const {
    int64_t bytes = 0;
    for (const std::vector<BufferSize>& block : blockSizes(model))
        for (size_t i = 0; i < block.size(); ++i)
            bytes += isKept(policy, static_cast<B>(i), m_shape.fp8) ? block[i].bytes() : 0;
    return bytes;
}

void StepBuffers::takeBlocks(const ModelConfig& model, BlockPolicy policy, at::ScalarType type) {
    const std::vector<std::vector<BufferSize>> sizes = blockSizes(model);
    m_blocks.assign(sizes.size() * static_cast<size_t>(m_sets), BlockMemory(sizes.front().size()));
    for (size_t i = 0; i < sizes.front().size(); ++i) {
        const bool kept = m_shape.training && isKept(policy, static_cast<B>(i), m_shape.fp8);
        const at::ScalarType own = typeOf(static_cast<B>(i), type, m_shape.gpu ? at::kFloat : type);
        const auto largest = std::max_element(
            sizes.begin(), sizes.end(), [&](const auto& a, const auto& b) { return a[i].elements < b[i].elements; });
        const at::Tensor shared = kept ? at::Tensor{} : m_arena.take((*largest)[i], own);
        for (size_t layer = 0; layer < m_blocks.size(); ++layer) {
            const BufferSize& size = sizes[layer % sizes.size()][i];
            if (kept)
                m_blocks[layer][i] = m_arena.take(size, own);
            else if (size.elements > 0)
                m_blocks[layer][i] = shared.narrow(0, 0, size.elements);
        }
    }
}

SavedBuffers StepBuffers::block(int64_t block, int64_t tokens, int64_t scored, int64_t set) const {
    const int64_t blocks = static_cast<int64_t>(m_blocks.size()) / m_sets;
    const bool lastBlock = m_shape.lastBlock && block + 1 == blocks;
    const BlockMemory& memory = m_blocks[static_cast<size_t>(set * blocks + block)];
    SavedBuffers views;
    for (size_t i = 0; i < static_cast<size_t>(B::count); ++i) {
        const B which = static_cast<B>(i);
        const Rows kind = rowsOf(which, lastBlock);
        const bool all = kind == Rows::tokens;
        const at::Tensor& flat = memory[i];
        const int64_t rows = all ? tokens : scored;
        if (which == B::logSumExp)  // may be planned larger than its rows
            views[which] = matrix(flat, rows, m_heads);
        else if (isCodes(which) || kind == Rows::none)
            views[which] = flat;
        else
            views[which] = cut(which, flat, rows, all ? m_shape.tokens() : m_shape.headRows());
    }
    return views;
}

WorkBuffers StepBuffers::work(int64_t tokens, int64_t scored) const {
    WorkBuffers views;
    for (size_t i = 0; i < static_cast<size_t>(W::count); ++i) {
        const W which = static_cast<W>(i);
        const Rows rows = rowsOf(which);
        if (rows == Rows::none)
            views[which] = m_work[i];
        else
            views[which] = cut(which, m_work[i], rows == Rows::tokens ? tokens : scored,
                               rows == Rows::tokens ? m_shape.tokens() : m_shape.headRows());
    }
    return views;
}

}  // namespace unmask
