// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/denoising_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/base/error.h"

namespace unmask {
namespace {

constexpr int32_t kEnd = 8, kMask = 9;
constexpr size_t kWidth = 16;  // ids 10 to 15 pad the embedding
const SampleVocabulary kVocabulary{.size = 10, .mask = kMask, .endOfDocument = kEnd, .suppressed = {}};

// Prefers token (position mod 7) with a confidence that falls with the position; MASK and padding look even better.
struct ToyModel {
    std::vector<size_t> windows;  // length of each forward's input
    std::map<int32_t, int32_t> endAt;

    Denoiser denoiser() {
        return [this](std::span<const int32_t> tokens, std::span<const int32_t> positions) {
            windows.push_back(tokens.size());
            std::vector<float> logits(positions.size() * kWidth, 0.0f);
            for (size_t r = 0; r < positions.size(); ++r) {
                EXPECT_EQ(tokens[static_cast<size_t>(positions[r])], kMask);
                float* row = logits.data() + r * kWidth;
                row[positions[r] % 7] = 5.0f - 0.01f * static_cast<float>(positions[r]);
                if (endAt.count(positions[r]))
                    row[kEnd] = 20;
                row[kMask] = row[12] = 50;
            }
            return logits;
        };
    }
};

TEST(QuotaPlan, SpreadsTheRemainderOverTheFirstPasses) {
    EXPECT_EQ(quotaPlan(10, 4), (std::vector<int64_t>{3, 3, 2, 2}));
    EXPECT_EQ(quotaPlan(3, 8), (std::vector<int64_t>{1, 1, 1}));
    EXPECT_EQ(quotaPlan(8, 1), (std::vector<int64_t>{8}));
}

TEST(DenoisingSampler, FillsEveryLengthBlockAndStepCountWithoutMasksLeft) {
    for (const int64_t length : {1, 5, 16, 33})
        for (const int64_t block : {1, 4, 7, 64})
            for (const int64_t steps : {1, 3, 33, 100}) {
                ToyModel model;
                const DenoisingSampler sampler(model.denoiser(), kVocabulary, 64);
                const auto result =
                    sampler.sample({.prompt = {1, 2}, .length = length, .steps = steps, .blockSize = block});
                ASSERT_EQ(result.tokens.size(), static_cast<size_t>(length + 2));
                for (size_t i = 2; i < result.tokens.size(); ++i)
                    ASSERT_EQ(result.tokens[i], static_cast<int32_t>(i % 7));
                EXPECT_LE(result.forwards, std::max(steps, (length + block - 1) / std::min(block, length)));
                EXPECT_EQ(result.forwards, static_cast<int64_t>(model.windows.size()));
                EXPECT_EQ(result.trace[0], -1);
            }
}

TEST(DenoisingSampler, CommitsTheSurestFirstAndBlocksFromLeftToRight) {
    ToyModel model;
    const DenoisingSampler sampler(model.denoiser(), kVocabulary, 64);
    const auto result = sampler.sample({.length = 8, .steps = 4, .blockSize = 4});
    EXPECT_EQ(result.trace, (std::vector<int32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(DenoisingSampler, EqualConfidenceGoesToTheLowerPositionAndTheLowestId) {
    const Denoiser flat = [](std::span<const int32_t>, std::span<const int32_t> positions) {
        return std::vector<float>(positions.size() * kWidth, 1.0f);
    };
    const auto result = DenoisingSampler(flat, kVocabulary, 64).sample({.length = 4, .steps = 4, .blockSize = 4});
    EXPECT_EQ(result.tokens, (std::vector<int32_t>{0, 0, 0, 0}));
    EXPECT_EQ(result.trace, (std::vector<int32_t>{0, 1, 2, 3}));
}

TEST(DenoisingSampler, StopsAtTheEndOfTheTextAndFillsTheRest) {
    ToyModel model;
    model.endAt = {{3, 1}};
    const DenoisingSampler sampler(model.denoiser(), kVocabulary, 64);
    const auto result = sampler.sample({.length = 12, .steps = 12, .blockSize = 4});
    EXPECT_EQ(result.tokens, (std::vector<int32_t>{0, 1, 2, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd, kEnd}));
    EXPECT_EQ(result.forwards, 4);  // the end was committed first, but stood behind masks until the block was done
}

TEST(DenoisingSampler, SuppressedTokensAreNeverWritten) {
    ToyModel model;
    model.endAt = {{0, 1}, {1, 1}, {2, 1}};
    auto vocabulary = kVocabulary;
    vocabulary.suppressed = {kEnd};
    const auto result =
        DenoisingSampler(model.denoiser(), vocabulary, 64).sample({.length = 3, .steps = 3, .blockSize = 3});
    EXPECT_EQ(result.tokens, (std::vector<int32_t>{0, 1, 2}));
}

TEST(DenoisingSampler, ReadsALongTextThroughAWindowThatTheModelKnows) {
    ToyModel model;
    const DenoisingSampler sampler(model.denoiser(), kVocabulary, 16);
    const auto result = sampler.sample({.prompt = {1, 2, 3}, .length = 40, .steps = 40, .blockSize = 8});
    EXPECT_EQ(*std::max_element(model.windows.begin(), model.windows.end()), 16u);
    EXPECT_EQ(std::count(result.tokens.begin(), result.tokens.end(), kMask), 0);
}

TEST(DenoisingSampler, TemperatureDrawsAreRepeatableAndDependOnTheSeed) {
    const Denoiser flat = [](std::span<const int32_t>, std::span<const int32_t> positions) {
        return std::vector<float>(positions.size() * kWidth, 1.0f);
    };
    const DenoisingSampler sampler(flat, kVocabulary, 64);
    const SampleRequest request{.length = 32, .steps = 8, .blockSize = 32, .temperature = 1, .seed = 5};
    auto other = request;
    other.seed = 6;
    EXPECT_EQ(sampler.sample(request).tokens, sampler.sample(request).tokens);
    EXPECT_NE(sampler.sample(request).tokens, sampler.sample(other).tokens);
}

TEST(DenoisingSampler, DamagedWeightsAreAnErrorNotText) {
    const Denoiser broken = [](std::span<const int32_t>, std::span<const int32_t> positions) {
        return std::vector<float>(positions.size() * kWidth, std::numeric_limits<float>::quiet_NaN());
    };
    const DenoisingSampler sampler(broken, kVocabulary, 64);
    EXPECT_THROW(sampler.sample({.length = 4}), Error);
    EXPECT_THROW(sampler.sample({.length = 0}), Error);
}

}  // namespace
}  // namespace unmask
