// SPDX-License-Identifier: Apache-2.0
// Every buffer of a training or inference step with its size. The arena is built from these lists and from nothing
// else, so what the planner says is what the engine takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/protocol/model_config.h"
#include "engine/protocol/parallel_config.h"

namespace unmask {

enum class BlockPolicy { keep, recomputeCheap, recompute };
BlockPolicy blockPolicy(Checkpointing checkpointing);

struct StepShape {
    int64_t rows = 0;        // of one micro-batch
    int64_t length = 0;      // tokens a row
    int64_t scoredRows = 0;  // most rows that reach the head; 0 means all tokens
    int64_t threads = 1;
    int64_t elementBytes = 4;
    bool gpu = false;  // inputs are staged in the arena, scratch of the kernels is not, and statistics are always float
    bool training = true;
    bool fp8 = false;            // training with 8-bit products; elementBytes is that of bf16 then
    bool splitBackward = false;  // input and weight gradients at different times, as pipelines want them
    int64_t tensorParts = 1;     // devices that share heads, feed-forward columns and vocabulary
    int64_t blocks = -1;         // held here; −1 means all of the model's
    bool lastBlock = true;       // the model's last block is among them
    int64_t sparseBlocks = -1;   // of those held here; −1: as many as the last layers of the model are

    int64_t tokens() const { return rows * length; }
    int64_t headRows() const { return scoredRows == 0 ? tokens() : scoredRows; }
    int64_t statisticBytes() const { return gpu ? 4 : elementBytes; }
};

// What a block needs between forward and backward, in the order in which it comes to be. Only scored rows are queries
// of the last block, so from there on its buffers have as many rows as the head.
enum class BlockBuffer {
    input,      // (N, C) residual stream
    normed1,    // (N, C) output of the first norm
    rstd1,      // (N)
    mean1,      // (N), LayerNorm only
    projected,  // (N, C + 2K) query ‖ key ‖ value, rotated; key ‖ value alone in the last block. The backward pass
                // leaves the gradients here
    scoredNormed,       // (R, C) scored rows of normed1; last block only
    query,              // (R, C); last block only
    rawQuery,           // (N or R, C) before QK-norm; qk_norm only, like the next three
    rawKey,             // (N, K)
    queryRstd,          // (N or R, heads)
    keyRstd,            // (N, key heads)
    attended,           // (N or R, C), and so on from here
    logSumExp,          // (N, heads)
    middle,             // (N, C) residual stream after attention
    normed2,            // (N, C)
    rstd2,              // (N)
    mean2,              // (N), LayerNorm only
    inner,              // (N, 2F) gate ‖ up, or (N, F) with GELU; the backward pass leaves its gradient here
    product,            // (N, F) input of the down projection
    normed1Codes,       // (C · N) 8-bit, transposed, for the weight gradient; fp8 only, like the next four
    scoredNormedCodes,  // (C · R); last block only
    attendedCodes,      // (C · N or R)
    normed2Codes,       // (C · N or R)
    productCodes,       // (F · N or R)
    // Of sparse blocks, with k experts a token and E in all. There `inner` is (k·N, 2F) and `product` (k·N, F), of the
    // experts' width and in order of experts, and the shared experts have buffers of their own.
    routeScores,          // (N, E) scores of the router; the backward pass leaves the gradient of its logits here
    routeWeights,         // (N, k) of the chosen experts
    routeExperts,         // (N, k) int32, like all that follow
    routePlaces,          // (N, k) where the token stands among those in order of experts, −1 where it was dropped
    routeOrder,           // (N, k) the inverse
    expertBounds,         // (2E + 1) where each expert's tokens begin, and how many wanted it before any were dropped
    sharedInner,          // (N, 2S) of the shared experts together
    sharedProduct,        // (N, S)
    attentionGradient,    // (N or R, C) what the weight part of a split backward needs; split_backward only
    feedForwardGradient,  // (N or R, C) the same
    count
};

struct BufferSize {
    std::string name;
    int64_t elements = 0;
    int64_t elementBytes = 4;
    int64_t bytes() const;  // rounded up to kArenaAlignment
};
constexpr int64_t kArenaAlignment = 256;
int64_t totalBytes(const std::vector<BufferSize>& buffers);

enum class BlockKind { dense, sparse };
inline BlockKind blockKind(const ModelConfig& model, int64_t layer) {
    return model.isSparse(layer) ? BlockKind::sparse : BlockKind::dense;
}

// Indexed by BlockBuffer; buffers that the configuration does not need have 0 elements.
std::vector<BufferSize> blockBuffers(const ModelConfig& model, const StepShape& shape, bool lastBlock,
                                     BlockKind kind = BlockKind::dense);
// Else it lies in the set that all blocks share. In fp8 the backward pass reads 8-bit copies, and what they were made
// of is not kept.
bool isKept(BlockPolicy policy, BlockBuffer buffer, bool fp8 = false);

// Shared by all layers of a step, indexed by WorkBuffer.
enum class WorkBuffer {
    delta,              // (N, C) what a layer adds to the stream; in the backward pass the gradient of a norm's output
    gradient,           // (N, C) gradient of the stream
    scoredGradient,     // (R, C) the same, above the last block's queries
    productGradient,    // (N, F)
    projectedGradient,  // (N, C + 2K) of query ‖ key ‖ value; GPU only, a CPU leaves it in `projected`
    expertRows,         // (k·N, C) inputs, results or their gradients, in order of experts; sparse blocks only
    expertGradient,     // (k·N, F) of the experts' products, then (N, S) of the shared ones'; sparse blocks only
    routeGradient,      // (N, k) of the experts' weights; sparse blocks only
    rowCodes,           // 8-bit values as one product reads them: of its input or of its result's gradient; fp8 only
    transposedCodes,    // the result's gradient transposed
    weightCodes,        // a weight in either layout
    attentionScratch,   // threads × attentionScratchElements
    reduction,          // threads × widest vector parameter, for sums over rows
    headInput,          // (R, C) residual stream at scored rows
    headNormed,         // (R, C)
    headRstd,           // (R)
    headMean,           // (R), LayerNorm only
    logits,             // one chunk of (rows, V)
    rowLosses,          // (R), double
    rotary,             // (length, head width) cosines ‖ sines
    // What a micro-batch brings along; on a GPU one copy fills it all, so these lie together, bounds last.
    tokens,           // (N) int32; GPU only, like the next three
    scoredRows,       // (R) int32, −1 where unused
    targets,          // (R) int64, −1 where unused
    rowWeights,       // (R) double, 0 where unused
    positions,        // (N) int32, in the segment
    scoredPositions,  // (R) int32
    segmentBounds,    // two of (segments, 4) int32, for all and for scored queries; at most N segments
    count
};
std::vector<BufferSize> workBuffers(const ModelConfig& model, const StepShape& shape);

// Scored rows a GPU reserves for a micro-batch. Exact counts dealt level over strata stay below; a batch that does not
// is computed in halves.
int64_t scoredCapacity(int64_t rows, int64_t length);

int64_t logitChunkRows(const ModelConfig& model, const StepShape& shape);            // rows of `logits`
int64_t attentionTileRows(int64_t segmentLength);                                    // queries worked on at once
int64_t attentionScratchElements(const ModelConfig& model, const StepShape& shape);  // one thread

struct StepMemory {
    int64_t activations = 0;  // kept and shared block buffers
    int64_t logits = 0;
    int64_t buffers = 0;  // everything else
    int64_t total() const { return activations + logits + buffers; }
};
StepMemory stepMemory(const ModelConfig& model, const StepShape& shape, BlockPolicy policy);

}  // namespace unmask
