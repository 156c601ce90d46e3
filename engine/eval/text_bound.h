// SPDX-License-Identifier: Apache-2.0
// Upper bound of −log p of one text, by draws with stratified masked counts (LLaDA get_log_likelihood.py). A prompt is
// seen and never masked.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace unmask {

// ℓ (nats) of each scored position of one sequence; tokens carry MASK there, targets say what stood there.
using RowLosses = std::function<std::vector<double>(std::span<const int32_t> tokens, std::span<const int32_t> positions,
                                                    std::span<const int32_t> targets)>;

struct TextBoundOptions {
    int64_t promptLength = 0;
    int64_t draws = 128;  // 1 is exact for an answer of one token
    uint64_t seed = 0;
    uint64_t text = 0;  // number of the text, so that texts have masks of their own
    int32_t maskToken = 0;
};

// Nats of all tokens after the prompt; 0 for an empty answer.
double textBound(const RowLosses& losses, std::span<const int32_t> tokens, const TextBoundOptions& options);

}  // namespace unmask
