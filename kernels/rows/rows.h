// SPDX-License-Identifier: Apache-2.0
// Moving whole rows: embedding lookup, gathering scored rows, scattering their gradients, and the embedding's backward
// pass. Half of all input tokens are the mask, so adding gradients row by row with atomics would queue on one row; here
// the rows of a token are collected and summed in order, which also makes the result repeat.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct GatherArgs {
    const void* table;     // (limit, C)
    const int32_t* index;  // (rows); outside 0 … limit - 1: a row of zeros
    void* out;             // (rows, C)
    int64_t rows;
    int64_t limit;
    int C;  // multiple of 8
    DType dtype;
};
Status gatherRows(const GatherArgs& args, Stream stream);  // out = table[index]
Status gatherRowsReference(const GatherArgs& args);

struct ScatterArgs {
    const void* x;         // (rows, C)
    const int32_t* index;  // (rows), distinct; negative: skipped
    void* out;             // (limit, C): out[index] += x, or = x
    int64_t rows;
    int C;
    bool add;
    DType dtype;
};
Status scatterRows(const ScatterArgs& args, Stream stream);
Status scatterRowsReference(const ScatterArgs& args);

struct EmbeddingBackwardArgs {
    const int32_t* tokens;  // (rows); outside 0 … vocabulary - 1: left out
    const void* gradient;   // (rows, C)
    void* weightGradient;   // (vocabulary, C), accumulated
    int64_t rows;
    int vocabulary;
    int C;          // multiple of 8
    void* scratch;  // embeddingBackwardScratch(...) bytes, 16-byte aligned
    size_t scratchBytes;
    DType dtype;        // of gradient
    DType weightDtype;  // of weightGradient
};
Status embeddingBackward(const EmbeddingBackwardArgs& args, Stream stream);
Status embeddingBackwardReference(const EmbeddingBackwardArgs& args);
size_t embeddingBackwardScratch(int64_t rows, int vocabulary, int C);

}  // namespace unmask::kernels
