// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layer_memory.h"

#include <algorithm>
#include <array>

namespace unmask {

namespace {

constexpr int64_t kLogitBudgetBytes = 32 << 20;
constexpr int64_t kGpuLogitBudgetBytes = 1 << 30;
constexpr int64_t kScoresPerTile = 65536;  // a tile of scores and one of gradients fit the second-level cache
constexpr int64_t kSmallestTile = 16;

int64_t roundUp(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

int64_t innerParts(const ModelConfig& model) {
    return model.activation == ActivationKind::swiglu ? 2 : 1;
}
int64_t innerWidth(const ModelConfig& model) {
    return innerParts(model) * model.feedForwardWidth;
}
int64_t sharedWidth(const ModelConfig& model) {
    return model.sharedExperts * model.effectiveExpertWidth();
}
int64_t sparseLayers(const ModelConfig& model) {
    return model.experts == 0 ? 0 : std::max<int64_t>(0, model.layers - model.denseLayers);
}

int64_t widestVector(const ModelConfig& model) {
    const int64_t projected = model.biases ? model.width + 2 * model.keyValueWidth() : 0;
    const int64_t widest = std::max({model.feedForwardWidth, model.experts > 0 ? model.effectiveExpertWidth() : 0,
                                     model.experts > 0 ? sharedWidth(model) : 0});
    const int64_t inner = model.biases ? innerParts(model) * widest : 0;
    return std::max({2 * model.width, projected, inner});
}

// Fills a list that is indexed by an enum.
template <class E>
class BufferTable {
 public:
    explicit BufferTable(int64_t elementBytes) : m_buffers(static_cast<size_t>(E::count)), m_bytes(elementBytes) {}
    void set(E which, const char* name, int64_t elements) { set(which, name, elements, m_bytes); }
    void set(E which, const char* name, int64_t elements, int64_t elementBytes) {
        m_buffers[static_cast<size_t>(which)] = {name, elements, elementBytes};
    }
    std::vector<BufferSize> take() { return std::move(m_buffers); }

 private:
    std::vector<BufferSize> m_buffers;
    int64_t m_bytes;
};

}  // namespace

BlockPolicy blockPolicy(Checkpointing checkpointing) {
    switch (checkpointing) {
        case Checkpointing::none:
            return BlockPolicy::keep;
        case Checkpointing::selective:
            return BlockPolicy::recomputeCheap;
        case Checkpointing::full:
            return BlockPolicy::recompute;
    }
    return BlockPolicy::keep;
}

int64_t BufferSize::bytes() const {
    return roundUp(elements * elementBytes, kArenaAlignment);
}

int64_t totalBytes(const std::vector<BufferSize>& buffers) {
    int64_t sum = 0;
    for (const BufferSize& buffer : buffers)
        sum += buffer.bytes();
    return sum;
}

std::vector<BufferSize> blockBuffers(const ModelConfig& model, const StepShape& shape, bool lastBlock, BlockKind kind) {
    using B = BlockBuffer;
    const int64_t n = shape.tokens();
    const int64_t out = lastBlock ? shape.headRows() : n;  // rows from the queries on
    const int64_t c = model.width;
    const int64_t q = c / shape.tensorParts;
    const int64_t k = model.keyValueWidth() / shape.tensorParts;
    const int64_t f = model.feedForwardWidth / shape.tensorParts;
    const int64_t heads = model.heads / shape.tensorParts;
    const bool means = model.norm == NormKind::layerNorm;
    BufferTable<B> table(shape.elementBytes);
    table.set(B::input, "input", n * c);
    table.set(B::normed1, "normed1", n * c);
    table.set(B::rstd1, "rstd1", n, shape.statisticBytes());
    table.set(B::mean1, "mean1", means ? n : 0, shape.statisticBytes());
    table.set(B::projected, "projected", n * (lastBlock ? 2 * k : q + 2 * k));
    table.set(B::scoredNormed, "scored_normed", lastBlock ? out * c : 0);
    table.set(B::query, "query", lastBlock ? out * q : 0);
    table.set(B::rawQuery, "raw_query", model.qkNorm ? out * q : 0);
    table.set(B::rawKey, "raw_key", model.qkNorm ? n * k : 0);
    table.set(B::queryRstd, "query_rstd", model.qkNorm ? out * heads : 0, shape.statisticBytes());
    table.set(B::keyRstd, "key_rstd", model.qkNorm ? n * (model.effectiveKeyValueHeads() / shape.tensorParts) : 0,
              shape.statisticBytes());
    table.set(B::attended, "attended", out * q);
    const int64_t sums = shape.gpu ? std::max(n, out) : out;  // cuDNN keeps one for each place of a segment
    table.set(B::logSumExp, "log_sum_exp", sums * heads, shape.statisticBytes());
    table.set(B::middle, "middle", out * c);
    table.set(B::normed2, "normed2", out * c);
    table.set(B::rstd2, "rstd2", out, shape.statisticBytes());
    table.set(B::mean2, "mean2", means ? out : 0, shape.statisticBytes());
    const int64_t sparse = kind == BlockKind::sparse ? 1 : 0;
    const int64_t routes = sparse * out * model.expertsPerToken;
    const int64_t shared = sparse * out * sharedWidth(model);
    const int64_t products = sparse ? routes * model.effectiveExpertWidth() : out * f;
    table.set(B::inner, "inner", innerParts(model) * products);
    table.set(B::product, "product", products);
    table.set(B::routeScores, "route_scores", sparse * out * model.experts);
    table.set(B::routeWeights, "route_weights", routes);
    table.set(B::routeExperts, "route_experts", routes, 4);
    table.set(B::routePlaces, "route_places", routes, 4);
    table.set(B::routeOrder, "route_order", routes, 4);
    table.set(B::expertBounds, "expert_bounds", sparse * (2 * model.experts + 1), 4);
    table.set(B::sharedInner, "shared_inner", innerParts(model) * shared);
    table.set(B::sharedProduct, "shared_product", shared);
    const auto codes = [&](B which, const char* name, int64_t elements) {
        table.set(which, name, shape.fp8 && shape.training ? elements : 0, 1);
    };
    codes(B::normed1Codes, "normed1_codes", n * c);
    codes(B::scoredNormedCodes, "scored_normed_codes", lastBlock ? out * c : 0);
    codes(B::attendedCodes, "attended_codes", out * q);
    codes(B::normed2Codes, "normed2_codes", out * c);
    codes(B::productCodes, "product_codes", out * f);
    const int64_t split = shape.splitBackward ? out * c : 0;
    table.set(B::attentionGradient, "attention_gradient", split);
    table.set(B::feedForwardGradient, "feed_forward_gradient", split);
    return table.take();
}

bool isKept(BlockPolicy policy, BlockBuffer buffer, bool fp8) {
    using B = BlockBuffer;
    const bool cheap =
        buffer == B::normed1 || buffer == B::normed2 || buffer == B::product || buffer == B::sharedProduct;
    const bool copied = buffer == B::normed1Codes || buffer == B::normed2Codes || buffer == B::productCodes;
    switch (policy) {
        case BlockPolicy::keep:
            return !(fp8 && cheap);
        case BlockPolicy::recomputeCheap:
            return !cheap && !copied;
        case BlockPolicy::recompute:
            return buffer == BlockBuffer::input;
    }
    return true;
}

int64_t scoredCapacity(int64_t rows, int64_t length) {
    // Exact counts: half of all tokens, and less than one row more or less. 0.52 of 64 rows.
    const double share = 0.5 + 1.28 / static_cast<double>(std::max<int64_t>(rows, 1));
    const int64_t tokens = rows * length;
    return std::min(roundUp(tokens, 8), roundUp(static_cast<int64_t>(share * static_cast<double>(tokens)), 128));
}

int64_t logitChunkRows(const ModelConfig& model, const StepShape& shape) {
    const int64_t budget = shape.gpu ? kGpuLogitBudgetBytes : kLogitBudgetBytes;
    const int64_t rows =
        std::max<int64_t>(budget / (model.vocabularySize / shape.tensorParts * shape.elementBytes), 64);
    const int64_t chunks = (shape.headRows() + rows - 1) / rows;  // of one size, so that products have one shape
    return shape.gpu ? roundUp((shape.headRows() + chunks - 1) / chunks, 128) : std::min(shape.headRows(), rows);
}

int64_t attentionTileRows(int64_t segmentLength) {
    const int64_t rows = kScoresPerTile / std::max<int64_t>(segmentLength, 1);
    return std::min(segmentLength, std::max(rows, kSmallestTile));
}

int64_t attentionScratchElements(const ModelConfig& model, const StepShape& shape) {
    // The most over all segment lengths up to the row's.
    const int64_t scores =
        std::min(shape.length * shape.length, std::max(kScoresPerTile, kSmallestTile * shape.length));
    const int64_t keyGradients = shape.training ? 2 * shape.length * model.headWidth() : 0;
    return roundUp((shape.training ? 2 : 1) * roundUp(scores, 16) + keyGradients, 64);
}

std::vector<BufferSize> workBuffers(const ModelConfig& model, const StepShape& shape) {
    using W = WorkBuffer;
    const int64_t n = shape.tokens();
    const int64_t r = shape.headRows();
    const int64_t c = model.width;
    const int64_t backward = shape.training ? 1 : 0;
    const int64_t gpu = shape.gpu ? 1 : 0;
    const int64_t cpu = 1 - gpu;
    BufferTable<W> table(shape.elementBytes);
    table.set(W::delta, "delta", n * c);
    table.set(W::gradient, "gradient", backward * n * c);
    table.set(W::scoredGradient, "scored_gradient", backward * r * c);
    table.set(W::productGradient, "product_gradient", backward * n * model.feedForwardWidth / shape.tensorParts);
    const int64_t routes = sparseLayers(model) > 0 ? n * model.expertsPerToken : 0;
    table.set(W::expertRows, "expert_rows", routes * c);
    table.set(W::expertGradient, "expert_gradient",
              routes > 0 ? backward * std::max(routes * model.effectiveExpertWidth(), n * sharedWidth(model)) : 0);
    table.set(W::routeGradient, "route_gradient", backward * routes);
    table.set(W::projectedGradient, "projected_gradient",
              gpu * backward * n * (c + 2 * model.keyValueWidth()) / shape.tensorParts);
    const int64_t codes = shape.fp8 ? backward : 0;
    const int64_t widest = std::max(c + 2 * model.keyValueWidth(), innerWidth(model));
    table.set(W::rowCodes, "row_codes", codes * n * widest, 1);
    table.set(W::transposedCodes, "transposed_codes", codes * n * widest, 1);
    table.set(W::weightCodes, "weight_codes", codes * c * widest, 1);
    table.set(W::attentionScratch, "attention_scratch", cpu * shape.threads * attentionScratchElements(model, shape));
    table.set(W::reduction, "reduction", cpu * backward * shape.threads * roundUp(widestVector(model), 16));
    table.set(W::headInput, "head_input", r * c);
    table.set(W::headNormed, "head_normed", r * c);
    table.set(W::headRstd, "head_rstd", r, shape.statisticBytes());
    table.set(W::headMean, "head_mean", model.norm == NormKind::layerNorm ? r : 0, shape.statisticBytes());
    table.set(W::logits, "logits", logitChunkRows(model, shape) * (model.vocabularySize / shape.tensorParts));
    table.set(W::rowLosses, "row_losses", r, 8);
    table.set(W::rotary, "rotary", shape.length * model.headWidth(), shape.statisticBytes());
    table.set(W::tokens, "tokens", gpu * n, 4);
    table.set(W::scoredRows, "scored_rows", gpu * r, 4);
    table.set(W::targets, "targets", gpu * r, 8);
    table.set(W::rowWeights, "row_weights", gpu * r, 8);
    table.set(W::positions, "positions", n, 4);
    table.set(W::scoredPositions, "scored_positions", r, 4);
    table.set(W::segmentBounds, "segment_bounds", 8 * n, 4);
    return table.take();
}

StepMemory stepMemory(const ModelConfig& model, const StepShape& shape, BlockPolicy policy) {
    StepMemory memory;
    // The kinds of block held here, each with how many there are of it.
    struct Held {
        std::vector<BufferSize> buffers;
        int64_t blocks;
    };
    const int64_t blocks = shape.blocks < 0 ? model.layers : shape.blocks;
    const int64_t last = shape.lastBlock ? 1 : 0;
    const int64_t sparse = shape.sparseBlocks < 0 ? std::min(sparseLayers(model), blocks) : shape.sparseBlocks;
    const BlockKind lastKind = blockKind(model, model.layers - 1);
    const int64_t lastSparse = lastKind == BlockKind::sparse ? last : 0;
    const std::array<Held, 3> held{
        Held{blockBuffers(model, shape, false, BlockKind::dense), blocks - sparse - (last - lastSparse)},
        Held{blockBuffers(model, shape, false, BlockKind::sparse), sparse - lastSparse},
        Held{blockBuffers(model, shape, true, lastKind), last}};
    for (size_t i = 0; i < static_cast<size_t>(BlockBuffer::count); ++i) {
        int64_t kept = 0;
        int64_t shared = 0;
        for (const Held& kind : held) {
            kept += kind.blocks * kind.buffers[i].bytes();
            shared = std::max(shared, kind.blocks > 0 ? kind.buffers[i].bytes() : 0);
        }
        memory.activations += shape.training && isKept(policy, static_cast<BlockBuffer>(i), shape.fp8) ? kept : shared;
    }
    const std::vector<BufferSize> work = workBuffers(model, shape);
    memory.logits = work[static_cast<size_t>(WorkBuffer::logits)].bytes();
    memory.buffers = totalBytes(work) - memory.logits;
    return memory;
}

}  // namespace unmask
