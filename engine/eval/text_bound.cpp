// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/text_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/noise_keys.h"

namespace unmask {

namespace {

// Positions 0..length−1 ordered by their keys: the first n are a uniform n-subset.
std::vector<int64_t> keyedOrder(const NoiseKeys& keys, uint64_t text, uint32_t visit, int64_t length) {
    std::vector<uint64_t> key(static_cast<size_t>(length));
    for (size_t i = 0; i < key.size(); ++i)
        key[i] = (uint64_t{keys.bits32(NoiseTag::mask, text, visit, i)} << 32) | i;
    std::sort(key.begin(), key.end());
    std::vector<int64_t> order(key.size());
    std::transform(key.begin(), key.end(), order.begin(),
                   [](uint64_t each) { return static_cast<int64_t>(each & 0xFFFFFFFFu); });
    return order;
}

}  // namespace

double textBound(const RowLosses& losses, std::span<const int32_t> tokens, const TextBoundOptions& options) {
    const int64_t length = static_cast<int64_t>(tokens.size()) - options.promptLength;
    if (length <= 0)
        return 0;
    const NoiseKeys keys(options.seed);
    const int64_t first = 1 + static_cast<int64_t>((uint64_t{keys.bits32(NoiseTag::count, options.text, 0xFFFF, 0)} *
                                                    static_cast<uint64_t>(length)) >>
                                                   32);
    double sum = 0;
    for (int64_t j = 0; j < options.draws; ++j) {
        const double place = static_cast<double>(first) +
                             static_cast<double>(j) * static_cast<double>(length) / static_cast<double>(options.draws);
        const int64_t count = (std::llround(place) - 1) % length + 1;
        auto order = keyedOrder(keys, options.text, static_cast<uint32_t>(0xFFFF - j), length);
        order.resize(static_cast<size_t>(count));
        std::sort(order.begin(), order.end());
        std::vector<int32_t> noisy(tokens.begin(), tokens.end()), positions, targets;
        for (const int64_t at : order) {
            const int64_t position = options.promptLength + at;
            positions.push_back(static_cast<int32_t>(position));
            targets.push_back(tokens[static_cast<size_t>(position)]);
            noisy[static_cast<size_t>(position)] = options.maskToken;
        }
        const auto row = losses(noisy, positions, targets);
        sum += static_cast<double>(length) / static_cast<double>(count) * std::accumulate(row.begin(), row.end(), 0.0);
    }
    return sum / static_cast<double>(options.draws);
}

}  // namespace unmask
