// SPDX-License-Identifier: Apache-2.0
// Attention inside segments with grouped heads, for what cuDNN does not take: float storage and odd head widths. In
// tiles where the shape allows it (attention_tiled.h), else a warp a query. Nothing is kept but the log-sum-exp. Also
// the tables that cuDNN wants of ragged segments.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct AttentionShape {
    const int32_t*
        bounds;  // (segments, 4): first query, end of queries, first key, end of keys; empty ones are skipped
    int segments;
    int longest;  // no segment has more queries or keys
    int heads, groups;
    int D;  // at most 256
    float scale;
    DType dtype;
};

struct AttentionArgs {
    AttentionShape shape;
    const void *query, *key, *value;  // rows strided by queryStride, keyStride, keyStride elements
    void* out;                        // (queries, heads · D); rows of no segment are left alone
    float* logSumExp;                 // (queries, heads)
    int64_t queryStride, keyStride;
};
Status attentionForward(const AttentionArgs& args, Stream stream);
Status attentionForwardReference(const AttentionArgs& args);

struct AttentionBackwardArgs {
    AttentionArgs forward;
    const void* gradientOut;                            // (queries, heads · D)
    void *gradientQuery, *gradientKey, *gradientValue;  // strided like query and key below; may not overlap the inputs
    int64_t gradientQueryStride, gradientKeyStride;
    float* delta;  // scratch (queries, heads)
};
Status attentionBackward(const AttentionBackwardArgs& args, Stream stream);
Status attentionBackwardReference(const AttentionBackwardArgs& args);

// Lengths and element offsets of each segment, as cuDNN reads them. Offsets have one more entry: the end of the last.
struct SegmentTables {
    int32_t *queryLengths, *keyLengths;      // (segments)
    int32_t *query, *key, *out, *logSumExp;  // (segments + 1), by the strides below
    int32_t *gradientQuery, *gradientKey;    // (segments + 1); null in the forward pass
};
struct SegmentTableArgs {
    const int32_t* bounds;  // (segments, 4)
    int segments;
    int queryStride, keyStride, outStride, logSumExpStride, gradientQueryStride, gradientKeyStride;
    SegmentTables tables;
};
Status segmentTables(const SegmentTableArgs& args, Stream stream);
Status segmentTablesReference(const SegmentTableArgs& args);

}  // namespace unmask::kernels
