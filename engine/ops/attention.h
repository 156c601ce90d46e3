// SPDX-License-Identifier: Apache-2.0
// Bidirectional attention inside packed segments, with grouped heads: query head h reads key head h / (heads / groups).
// Scores exist for one tile of queries at a time, and the backward pass computes them again from their log-sum-exp.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace unmask {

struct AttentionArgs {
    at::Tensor query;   // (Q, heads · D); rows may be strided
    at::Tensor key;     // (N, groups · D); rows may be strided
    at::Tensor value;   // (N, groups · D); rows may be strided
    at::Tensor bounds;  // (segments, 4) int32: first query, end of queries, first key, end of keys; ascending
    int64_t headWidth = 0;
    int64_t longest = 0;          // no segment has more keys; GPU only, like the next
    bool dense = false;           // every segment has `longest` queries and as many keys, without gaps between them
    at::Tensor out;               // out (Q, heads · D); rows of no segment become 0
    at::Tensor logSumExp;         // out (Q, heads)
    at::Tensor scratch;           // threads × scratchElements
    int64_t scratchElements = 0;  // of one thread, attentionScratchElements of the planner
};
void attentionForward(const AttentionArgs& args);

struct AttentionBackwardArgs {
    AttentionArgs forward;   // as it was; on the CPU query, key and value are overwritten with their gradients
    at::Tensor gradientOut;  // (Q, heads · D)
    at::Tensor gradientQuery, gradientKey, gradientValue;  // GPU only: out, shaped as query, key and value; rows may be
                                                           // strided
};
void attentionBackward(const AttentionBackwardArgs& args);

}  // namespace unmask
