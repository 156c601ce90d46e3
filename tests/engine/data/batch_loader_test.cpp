// SPDX-License-Identifier: Apache-2.0
#include "engine/data/batch_loader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/engine/data/store_fixture.h"

namespace unmask {
namespace {

using test::TempFolder;

class BatchLoaderTest : public ::testing::Test {
 protected:
    BatchLoaderTest()
        : m_store(test::makeStore(m_folder, test::mixedLengths(300))),
          m_index(m_store, 64, 0.05),
          m_sampler(Sampler::training(m_index, {.seed = 3, .batchRows = 10})) {}
    TempFolder m_folder;
    TokenStore m_store;
    SampleIndex m_index;
    Sampler m_sampler;
};

TEST_F(BatchLoaderTest, MicroBatchesHoldTheTokensOfTheirSlotsAndPaddingElsewhere) {
    for (int64_t k = 0; k < m_sampler.batchesPerEpoch(); ++k) {
        const LoadedBatch loaded = loadBatch(m_sampler, k, 4, 257);
        size_t slotsSeen = 0;
        int64_t rows = 0;
        for (const MicroBatch& micro : loaded.microBatches) {
            EXPECT_EQ(micro.firstRow, rows);
            rows += micro.rows;
            ASSERT_EQ(static_cast<int64_t>(micro.tokens.size()), micro.rows * 64);
            std::vector<int32_t> expected(micro.tokens.size(), 257);
            for (const SampleSlot& slot : micro.slots) {
                const SampleSlot& global = loaded.plan.slots[slotsSeen++];
                EXPECT_EQ(slot.slot, global.slot);
                EXPECT_EQ(slot.row + micro.firstRow, global.row);
                EXPECT_EQ(slot.datasetIndex, global.datasetIndex);
                m_store.copy(m_index.place(slot.datasetIndex).begin, slot.length,
                             expected.data() + slot.row * 64 + slot.begin);
            }
            EXPECT_EQ(micro.tokens, expected);
        }
        EXPECT_EQ(slotsSeen, loaded.plan.slots.size());
        EXPECT_EQ(rows, loaded.plan.rows);
    }
}

TEST_F(BatchLoaderTest, MicroBatchSizeDoesNotChangeTheTokens) {
    const auto tokensOf = [&](int64_t microRows) {
        std::vector<int32_t> tokens;
        for (const MicroBatch& micro : loadBatch(m_sampler, 2, microRows, 257).microBatches)
            tokens.insert(tokens.end(), micro.tokens.begin(), micro.tokens.end());
        return tokens;
    };
    EXPECT_EQ(tokensOf(1), tokensOf(10));
    EXPECT_EQ(tokensOf(3), tokensOf(100));
}

TEST_F(BatchLoaderTest, GivesTheBatchesInOrderFromAnyStart) {
    for (const int64_t first : {int64_t{0}, int64_t{5}, 3 * m_sampler.batchesPerEpoch() - 2}) {
        BatchLoader loader(m_sampler, {.firstStep = first, .microRows = 4});
        for (int64_t k = first; k < first + 12; ++k) {
            const LoadedBatch loaded = loader.next();
            const LoadedBatch expected = loadBatch(m_sampler, k, 4, 257);
            ASSERT_EQ(loaded.plan, expected.plan);
            ASSERT_EQ(loaded.microBatches.size(), expected.microBatches.size());
            for (size_t i = 0; i < expected.microBatches.size(); ++i)
                EXPECT_EQ(loaded.microBatches[i].tokens, expected.microBatches[i].tokens);
        }
    }
}

TEST_F(BatchLoaderTest, IsNotWaitedForWhileStepsTakeLonger) {
    BatchLoader loader(m_sampler, {.microRows = 4});
    for (int i = 0; i < 30; ++i) {
        loader.next();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_LE(loader.waits(), 3) << "a busy machine may delay it now and then";
}

TEST_F(BatchLoaderTest, EndsCleanlyAtAnyMoment) {
    for (int i = 0; i < 200; ++i) {
        BatchLoader loader(m_sampler, {.firstStep = i, .microRows = 2, .depth = 1 + i % 4});
        for (int taken = 0; taken < i % 3; ++taken)
            loader.next();
    }
}

TEST_F(BatchLoaderTest, AFailureOfTheThreadReachesTheCaller) {
    const SampleIndex nothingHeld(m_store, 64, 0.0);
    const Sampler empty = Sampler::validation(nothingHeld, {});
    BatchLoader loader(empty, {});
    EXPECT_THROW(loader.next(), Error);
    EXPECT_THROW(loader.next(), Error) << "and does so again, instead of hanging";
    EXPECT_THROW(BatchLoader(m_sampler, {.microRows = 0}), Error);
}

}  // namespace
}  // namespace unmask
