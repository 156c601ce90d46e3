// SPDX-License-Identifier: Apache-2.0
// Numbers the samples of a store: a document, or its pieces of `sequenceLength` tokens. A sample's number depends on
// the store and the length alone, so noise keyed by it is the same for every run. Says too which are held back.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/data/token_store.h"

namespace unmask {

struct SamplePlace {
    int64_t begin = 0;   // first token in the store
    int32_t length = 0;  // tokens, 1..sequenceLength
};

class SampleIndex {
 public:
    // At least one sample lands on each side, unless validationFraction is 0 or 1: then none or all are held back. Throws
    // Error(badInput) where the data is too small for that. `store` must outlive the index.
    SampleIndex(const TokenStore& store, int64_t sequenceLength, double validationFraction);

    int64_t sampleCount() const { return static_cast<int64_t>(m_firstSample.back()); }
    SamplePlace place(int64_t sample) const;
    int64_t sequenceLength() const { return m_sequenceLength; }
    const TokenStore& store() const { return m_store; }

    const std::vector<uint32_t>& training() const { return m_training; }      // ascending
    const std::vector<uint32_t>& validation() const { return m_validation; }  // by hash: a prefix is a fair choice

 private:
    void split(double validationFraction);

    const TokenStore& m_store;
    int64_t m_sequenceLength;
    std::vector<uint32_t> m_firstSample;  // of each document, and one past the last
    std::vector<uint32_t> m_training;
    std::vector<uint32_t> m_validation;
};

}  // namespace unmask
