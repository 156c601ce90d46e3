// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sample_index.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/engine/data/store_fixture.h"

namespace unmask {
namespace {

using test::makeStore;
using test::messageOf;
using test::TempFolder;

TEST(SampleIndex, PiecesCoverTheStoreWithoutGap) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {10, 1, 8, 25});
    const SampleIndex index(store, 8, 0.0);
    ASSERT_EQ(index.sampleCount(), 2 + 1 + 1 + 4);
    int64_t next = 0;
    for (int64_t sample = 0; sample < index.sampleCount(); ++sample) {
        const SamplePlace place = index.place(sample);
        EXPECT_EQ(place.begin, next);
        EXPECT_GE(place.length, 1);
        EXPECT_LE(place.length, 8);
        next += place.length;
    }
    EXPECT_EQ(next, store.tokenCount());
    EXPECT_EQ(index.place(1).length, 2) << "a piece never crosses a document's end";
}

TEST(SampleIndex, TheSplitIsAPartitionNearTheFraction) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, test::mixedLengths(4000));
    const SampleIndex index(store, 32, 0.05);
    std::set<uint32_t> all(index.training().begin(), index.training().end());
    EXPECT_TRUE(std::is_sorted(index.training().begin(), index.training().end()));
    for (const uint32_t sample : index.validation())
        EXPECT_TRUE(all.insert(sample).second) << "on both sides";
    EXPECT_EQ(static_cast<int64_t>(all.size()), index.sampleCount());
    const double share = static_cast<double>(index.validation().size()) / static_cast<double>(index.sampleCount());
    EXPECT_NEAR(share, 0.05, 0.01);
}

TEST(SampleIndex, ALargerFractionHoldsBackASuperset) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, test::mixedLengths(500));
    const SampleIndex few(store, 32, 0.05);
    const SampleIndex many(store, 32, 0.2);
    EXPECT_TRUE(std::equal(few.validation().begin(), few.validation().end(), many.validation().begin()))
        << "in the order of their hashes, so a prefix stays a prefix";
}

TEST(SampleIndex, EachSideHasOneWhenThereAreTwo) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {9, 9});
    for (const double fraction : {1e-9, 0.05, 0.5, 0.999}) {
        const SampleIndex index(store, 16, fraction);
        EXPECT_EQ(index.training().size(), 1u) << fraction;
        EXPECT_EQ(index.validation().size(), 1u) << fraction;
    }
}

TEST(SampleIndex, FractionZeroHoldsNothingBack) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {9});
    EXPECT_TRUE(SampleIndex(store, 16, 0.0).validation().empty());
    EXPECT_EQ(SampleIndex(store, 16, 0.0).training().size(), 1u);
}

TEST(SampleIndex, FractionOneHoldsEverythingBack) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {9, 40});
    const SampleIndex index(store, 16, 1.0);
    EXPECT_TRUE(index.training().empty()) << "files given for validation alone";
    EXPECT_EQ(static_cast<int64_t>(index.validation().size()), index.sampleCount());
}

TEST(SampleIndex, TooLittleTextIsSaidWithItsRemedies) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {9});
    const std::string message = messageOf([&] { SampleIndex(store, 16, 0.05); });
    EXPECT_NE(message.find("sequence_length"), std::string::npos);
    EXPECT_NE(message.find("validation_fraction"), std::string::npos);
    EXPECT_THROW(SampleIndex(store, 0, 0.05), Error);
}

}  // namespace
}  // namespace unmask
