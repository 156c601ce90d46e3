// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sampler.h"

#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <set>
#include <thread>

#include "tests/engine/data/store_fixture.h"

namespace unmask {
namespace {

using test::TempFolder;

class SamplerTest : public ::testing::Test {
 protected:
    static constexpr int64_t kLength = 64;
    SamplerTest() : m_store(test::makeStore(m_folder, test::mixedLengths(600))), m_index(m_store, kLength, 0.05) {}

    Sampler training(uint64_t seed = 1, int64_t batchRows = 7, double cut = 0.01) const {
        return Sampler::training(m_index, {.seed = seed, .batchRows = batchRows, .variableLengthFraction = cut});
    }
    static std::vector<int64_t> samplesOf(const Sampler& sampler, int64_t firstBatch, int64_t batches) {
        std::vector<int64_t> samples;
        for (int64_t k = firstBatch; k < firstBatch + batches; ++k)
            for (const SampleSlot& slot : sampler.batch(k).slots)
                samples.push_back(slot.datasetIndex);
        return samples;
    }
    TempFolder m_folder;
    TokenStore m_store;
    SampleIndex m_index;
};

TEST_F(SamplerTest, EveryTrainingSampleExactlyOnceAnEpoch) {
    const Sampler sampler = training();
    ASSERT_GT(sampler.batchesPerEpoch(), 10);
    const std::vector<int64_t> expected(m_index.training().begin(), m_index.training().end());
    std::vector<int64_t> previous;
    for (int64_t epoch : {0, 1, 2, 57}) {
        std::vector<int64_t> samples = samplesOf(sampler, epoch * sampler.batchesPerEpoch(), sampler.batchesPerEpoch());
        EXPECT_NE(samples, previous) << "another order each epoch";
        previous = samples;
        std::sort(samples.begin(), samples.end());
        EXPECT_EQ(samples, expected);
    }
}

TEST_F(SamplerTest, ABatchIsAPureFunctionOfSeedAndK) {
    const Sampler forwards = training();
    const Sampler other = training();
    std::map<int64_t, GlobalBatch> seen;
    for (int64_t k = 0; k < 3 * forwards.batchesPerEpoch(); ++k)
        seen[k] = forwards.batch(k);
    for (auto it = seen.rbegin(); it != seen.rend(); ++it)
        ASSERT_EQ(other.batch(it->first), it->second) << it->first;
    EXPECT_NE(training(2).batch(0), seen[0]);
}

TEST_F(SamplerTest, ThreadsMayAskAtOnce) {
    const Sampler sampler = training();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const Sampler own = training();
            for (int64_t i = 0; i < 60; ++i) {
                const int64_t k = (i * 13 + t * 29) % 300;
                EXPECT_EQ(sampler.batch(k), own.batch(k));
            }
        });
    for (std::thread& thread : threads)
        thread.join();
}

TEST_F(SamplerTest, SlotsAreNumberedAndLieInTheirRows) {
    const Sampler sampler = training();
    for (int64_t k = 0; k < sampler.batchesPerEpoch(); ++k) {
        const GlobalBatch batch = sampler.batch(k);
        EXPECT_EQ(batch.step, k);
        EXPECT_EQ(batch.length, kLength);
        int64_t row = 0, end = 0;
        for (size_t j = 0; j < batch.slots.size(); ++j) {
            const SampleSlot& slot = batch.slots[j];
            EXPECT_EQ(slot.slot, static_cast<int64_t>(j));
            EXPECT_TRUE(slot.row == row || slot.row == row + 1) << "ordered by row, no row is empty";
            if (slot.row != row)
                end = 0;
            row = slot.row;
            EXPECT_GE(slot.begin, end) << "segments do not overlap";
            EXPECT_GE(slot.length, 1);
            end = slot.begin + slot.length;
            EXPECT_LE(end, kLength);
        }
        EXPECT_EQ(row + 1, batch.rows);
    }
}

TEST_F(SamplerTest, TheLastBatchOfAnEpochIsShortAndTheNextEpochBeginsFull) {
    const Sampler sampler = training(1, 7);
    const int64_t perEpoch = sampler.batchesPerEpoch();
    ASSERT_NE(sampler.rowCount() % 7, 0) << "the fixture should leave a remainder";
    EXPECT_EQ(sampler.batch(perEpoch - 1).rows, sampler.rowCount() % 7);
    EXPECT_EQ(sampler.batch(perEpoch).rows, 7);
    EXPECT_EQ(sampler.batch(perEpoch).epoch, 1);
    EXPECT_EQ(sampler.batch(perEpoch).slots[0].visit, 1);
    EXPECT_EQ(training(1, 100000).batch(0).rows, sampler.rowCount()) << "a batch larger than the data is an epoch";
}

TEST_F(SamplerTest, TheOrderOfRowsDoesNotDependOnTheBatchSize) {
    const auto order = [&](int64_t batchRows) {
        const Sampler sampler = training(1, batchRows);
        return samplesOf(sampler, 0, sampler.batchesPerEpoch());
    };
    EXPECT_EQ(order(3), order(11));
}

TEST_F(SamplerTest, ValidationSamplesAreNeverTrainedOn) {
    const Sampler sampler = training();
    const std::set<int64_t> held(m_index.validation().begin(), m_index.validation().end());
    ASSERT_GT(held.size(), 20u);
    for (const int64_t sample : samplesOf(sampler, 0, 2 * sampler.batchesPerEpoch()))
        ASSERT_FALSE(held.contains(sample));
}

TEST_F(SamplerTest, ValidationIsTheSameForEverySeedAndDrawsDifferByVisitOnly) {
    const auto make = [&](uint64_t seed, int64_t most) {
        return Sampler::validation(m_index, {.seed = seed, .batchRows = 5, .maxSamples = most});
    };
    const Sampler sampler = make(1, 0);
    EXPECT_EQ(sampler.sampleCount(), static_cast<int64_t>(m_index.validation().size()));
    const int64_t perDraw = sampler.batchesPerEpoch();
    for (int64_t k = 0; k < perDraw; ++k) {
        GlobalBatch first = sampler.batch(k);
        EXPECT_EQ(first, make(99, 0).batch(k));
        GlobalBatch second = sampler.batch(perDraw + k);
        for (SampleSlot& slot : first.slots) {
            EXPECT_EQ(slot.visit, 0xFFFF);
            EXPECT_EQ(slot.length, m_index.place(slot.datasetIndex).length) << "never cut";
            slot.visit = 0xFFFE;
        }
        EXPECT_EQ(second.slots, first.slots);
        EXPECT_EQ(second.epoch, 1);
    }
    EXPECT_EQ(make(1, 10).sampleCount(), 10);
    const std::set<int64_t> all(m_index.validation().begin(), m_index.validation().end());
    for (const int64_t sample : samplesOf(make(1, 10), 0, make(1, 10).batchesPerEpoch()))
        EXPECT_TRUE(all.contains(sample));
}

TEST_F(SamplerTest, CutsFollowSampleAndVisitAloneAndKeepTheRows) {
    const Sampler never = training(1, 7, 0.0);
    const Sampler always = training(1, 7, 1.0);
    const Sampler wider = training(1, 3, 1.0);
    std::map<std::pair<int64_t, int32_t>, int32_t> lengths;
    double sum = 0, whole = 0;
    for (int64_t k = 0; k < 2 * never.batchesPerEpoch(); ++k) {
        const GlobalBatch a = never.batch(k);
        const GlobalBatch b = always.batch(k);
        ASSERT_EQ(a.slots.size(), b.slots.size());
        for (size_t j = 0; j < a.slots.size(); ++j) {
            EXPECT_EQ(a.slots[j].datasetIndex, b.slots[j].datasetIndex);
            EXPECT_EQ(a.slots[j].begin, b.slots[j].begin);
            EXPECT_GE(b.slots[j].length, 1);
            EXPECT_LE(b.slots[j].length, a.slots[j].length);
            lengths[{b.slots[j].datasetIndex, b.slots[j].visit}] = b.slots[j].length;
            sum += b.slots[j].length;
            whole += a.slots[j].length;
        }
    }
    EXPECT_NEAR(sum / whole, 0.5, 0.05) << "uniform in 1..length";
    for (int64_t k = 0; k < 2 * wider.batchesPerEpoch(); ++k)
        for (const SampleSlot& slot : wider.batch(k).slots)
            EXPECT_EQ(slot.length, (lengths[{slot.datasetIndex, slot.visit}])) << "whatever the batch";
    int cut = 0, all = 0;
    const Sampler usual = training(1, 7, 0.1);
    for (int64_t k = 0; k < 3 * usual.batchesPerEpoch(); ++k)
        for (const SampleSlot& slot : usual.batch(k).slots) {
            const int32_t full = m_index.place(slot.datasetIndex).length;
            cut += full > 20 && slot.length < full ? 1 : 0;
            all += full > 20 ? 1 : 0;
        }
    EXPECT_NEAR(static_cast<double>(cut) / all, 0.1, 0.02);
}

TEST_F(SamplerTest, ResumeAtAnyKConsumesTheSameMultiset) {
    const Sampler whole = training();
    const int64_t steps = 2 * whole.batchesPerEpoch() + 3;
    const std::vector<int64_t> expected = samplesOf(whole, 0, steps);
    for (int64_t k = 0; k <= steps; k += 9) {
        std::vector<int64_t> consumed = samplesOf(training(), 0, k);
        const std::vector<int64_t> rest = samplesOf(training(), k, steps - k);
        consumed.insert(consumed.end(), rest.begin(), rest.end());
        ASSERT_EQ(consumed, expected) << k;
    }
}

TEST_F(SamplerTest, ImpossibleRequestsAreErrors) {
    EXPECT_THROW(training().batch(-1), Error);
    EXPECT_THROW(training(1, 0), Error);
    const SampleIndex nothingHeld(m_store, kLength, 0.0);
    const Sampler empty = Sampler::validation(nothingHeld, {});
    EXPECT_EQ(empty.batchesPerEpoch(), 0);
    EXPECT_THROW(empty.batch(0), Error);
}

TEST(SamplerSpeed, AMillionSamplesArePlannedWithinASecond) {
    const TempFolder folder;
    const TokenStore store = test::makeStore(folder, std::vector<int64_t>(250000, 4 * 8 - 3));
    const std::clock_t start = std::clock();  // of the processor: others may be busy too
    const SampleIndex index(store, 8, 0.05);
    ASSERT_EQ(index.sampleCount(), 1000000);
    const Sampler sampler = Sampler::training(index, {});
    sampler.batch(0);
    sampler.batch(7 * sampler.batchesPerEpoch());
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    RecordProperty("seconds", std::to_string(seconds));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(seconds, 1.0) << "index, packing and two epochs";
#endif
}

}  // namespace
}  // namespace unmask
