// SPDX-License-Identifier: Apache-2.0
// Exact-count masks on the device: of each sample, the n positions with the smallest keys philox32(mask; d, e, i)
// become MASK. Integers only, so host and device agree bit for bit. Scored rows come out ascending, at places the host
// knows beforehand, since it drew every n.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct MaskSegment {
    int64_t datasetIndex;
    int32_t visit;
    int32_t begin;     // flat position of the sample's first token
    int32_t length;    // at most 16,384
    int32_t count;     // n, at most length
    int32_t firstRow;  // place of its first scored row
    int32_t padding;
    double weight;  // w / N of its rows
};

struct MaskNoiseArgs {
    const int32_t* tokens;        // (positions)
    const MaskSegment* segments;  // (segmentCount), in the order of their positions and rows
    int32_t* noisy;               // out (positions): copied outside all segments
    int32_t* rows;                // out (capacity): flat positions of scored rows; unused places -1
    int64_t* targets;             // out (capacity): their tokens; unused places -1
    double* weights;              // out (capacity): unused places 0
    int64_t positions;
    int segmentCount;
    int capacity;
    uint64_t seed;
    uint32_t tag;
    int32_t maskId;
};
Status maskNoise(const MaskNoiseArgs& args, Stream stream);

}  // namespace unmask::kernels
