// SPDX-License-Identifier: Apache-2.0
// Low-confidence semi-autoregressive denoising (LLaDA generate.py, remainders handled): the text is written block by
// block from left to right; in each forward pass the positions the model is surest of are committed, by quota.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace unmask {

struct SampleRequest {
    std::vector<int32_t> prompt;
    int64_t length = 128;    // tokens after the prompt
    int64_t steps = 64;      // forward passes for the whole text
    int64_t blockSize = 32;  // the whole length: all at once
    double temperature = 0;  // 0: argmax, ties to the lowest id
    uint64_t seed = 0;
    uint64_t request = 0;  // tells requests of one seed apart
};

// Which ids may be committed and where a text ends.
struct SampleVocabulary {
    int32_t size = 0;  // ids from here on are padding of the embedding
    int32_t mask = 0;
    int32_t endOfDocument = -1;  // -1: none
    std::vector<int32_t> suppressed;
};

struct SampleResult {
    std::vector<int32_t> tokens;  // prompt and text
    std::vector<int32_t> trace;   // forward pass (from 0) in which each position was committed; −1: prompt or never
    int64_t forwards = 0;
};

// Logits of chosen positions of one sequence, row-major (positions, row width). The row width is logits / positions.
using Denoiser = std::function<std::vector<float>(std::span<const int32_t> tokens, std::span<const int32_t> positions)>;

class DenoisingSampler {
 public:
    // contextLength: most tokens the model has been trained to see; a longer text is read through a window of it.
    DenoisingSampler(Denoiser denoiser, SampleVocabulary vocabulary, int64_t contextLength);
    SampleResult sample(const SampleRequest& request) const;

 private:
    struct Candidate {
        int32_t position;
        int32_t token;
        double confidence;  // softmax of the raw logits at the token
    };
    struct Progress;
    void denoiseBlock(Progress& progress, int64_t begin, int64_t end, int64_t steps) const;
    std::vector<Candidate> candidates(const Progress& progress, int64_t begin, int64_t end) const;
    Candidate pick(const Progress& progress, int32_t position, std::span<float> row) const;
    bool ended(const Progress& progress) const;

    Denoiser m_denoiser;
    SampleVocabulary m_vocabulary;
    int64_t m_contextLength;
};

// How many positions each pass commits: count div steps, the first (count mod steps) one more; passes with 0 are left
// out.
std::vector<int64_t> quotaPlan(int64_t count, int64_t steps);

}  // namespace unmask
