// SPDX-License-Identifier: Apache-2.0
// The same attention in tiles of 64 queries and 64 keys through shared memory, in float on the ordinary cores: many
// times faster than a warp a query. For head widths up to 128 that 4 divides.
#pragma once

#include "kernels/attention/attention.h"

namespace unmask::kernels {

// Also whether the present GPU has the shared memory.
bool attentionFitsTiles(const AttentionShape& shape);
// Arguments have been checked; there is at least one segment and one token.
Status tiledAttentionForward(const AttentionArgs& args, Stream stream);
Status tiledAttentionBackward(const AttentionBackwardArgs& args, Stream stream);

}  // namespace unmask::kernels
