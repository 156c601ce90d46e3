// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sample_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/base/noise_keys.h"

namespace unmask {

namespace {

// The split must not move with the seed of a run: validation losses of all runs on a store are then comparable.
constexpr uint64_t kSplitSeed = 0;

// floor(fraction * 2^64), saturating.
uint64_t hashThreshold(double fraction) {
    if (fraction >= 1.0)
        return std::numeric_limits<uint64_t>::max();
    return static_cast<uint64_t>(std::ldexp(std::max(fraction, 0.0), 64));
}

struct HashedSample {
    uint64_t hash;
    uint32_t sample;
    bool operator<(const HashedSample& other) const {
        return hash != other.hash ? hash < other.hash : sample < other.sample;
    }
};

}  // namespace

SampleIndex::SampleIndex(const TokenStore& store, int64_t sequenceLength, double validationFraction)
    : m_store(store), m_sequenceLength(sequenceLength) {
    if (sequenceLength < 1 || sequenceLength > std::numeric_limits<int32_t>::max())
        throw Error{ErrorCode::badInput,
                    "[data] sequence_length " + std::to_string(sequenceLength) + " is outside 1 to 2147483647"};
    m_firstSample.reserve(static_cast<size_t>(store.documentCount()) + 1);
    uint64_t samples = 0;
    for (int64_t document = 0; document < store.documentCount(); ++document) {
        m_firstSample.push_back(static_cast<uint32_t>(samples));
        const auto length = static_cast<uint64_t>(store.documentLength(document));
        samples += (length + static_cast<uint64_t>(sequenceLength) - 1) / static_cast<uint64_t>(sequenceLength);
        if (samples >= std::numeric_limits<uint32_t>::max())
            throw Error{ErrorCode::badInput, "[data] more than 4294967294 samples; use a longer sequence_length"};
    }
    m_firstSample.push_back(static_cast<uint32_t>(samples));
    split(validationFraction);
}

SamplePlace SampleIndex::place(int64_t sample) const {
    const auto next = std::upper_bound(m_firstSample.begin(), m_firstSample.end(), static_cast<uint32_t>(sample));
    const auto document = static_cast<int64_t>(next - m_firstSample.begin()) - 1;
    const int64_t begin = (sample - m_firstSample[static_cast<size_t>(document)]) * m_sequenceLength;
    const int64_t length = std::min(m_sequenceLength, m_store.documentLength(document) - begin);
    return {m_store.documentBegin(document) + begin, static_cast<int32_t>(length)};
}

void SampleIndex::split(double validationFraction) {
    const int64_t count = sampleCount();
    const bool holdBack = validationFraction > 0;
    const bool holdBackAll = validationFraction >= 1;  // files given for validation alone
    if (count < (holdBack && !holdBackAll ? 2 : 1))
        throw Error{ErrorCode::badInput, "[data] the data makes " + std::to_string(count) + " sample of at most " +
                                             std::to_string(m_sequenceLength) +
                                             " tokens, but one is needed to train and one to validate: add text, lower "
                                             "model.sequence_length, or set data.validation_fraction to 0"};
    const NoiseKeys keys(kSplitSeed);
    const uint64_t threshold = hashThreshold(validationFraction);
    std::vector<HashedSample> held;
    HashedSample lowest{std::numeric_limits<uint64_t>::max(), 0};
    m_training.reserve(static_cast<size_t>(count));
    for (size_t document = 0; document + 1 < m_firstSample.size(); ++document) {
        for (uint32_t sample = m_firstSample[document]; sample < m_firstSample[document + 1]; ++sample) {
            const HashedSample hashed{keys.bits64(NoiseTag::split, document, sample - m_firstSample[document]), sample};
            lowest = std::min(lowest, hashed);
            if (hashed.hash < threshold || holdBackAll)
                held.push_back(hashed);
            else
                m_training.push_back(sample);
        }
    }
    std::sort(held.begin(), held.end());
    if (holdBack && held.empty()) {
        held.push_back(lowest);
        m_training.erase(std::lower_bound(m_training.begin(), m_training.end(), lowest.sample));
    }
    if (m_training.empty() && !holdBackAll) {
        m_training.push_back(held.back().sample);
        held.pop_back();
    }
    m_validation.reserve(held.size());
    for (const HashedSample& hashed : held)
        m_validation.push_back(hashed.sample);
}

}  // namespace unmask
