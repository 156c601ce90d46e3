// SPDX-License-Identifier: Apache-2.0
#include "engine/data/packer.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "engine/base/error.h"

namespace unmask {
namespace {

struct Packed {
    std::vector<uint32_t> samples;
    std::vector<int32_t> lengths;
    PackedRows rows;
};

Packed pack(std::vector<int32_t> lengths, int64_t rowLength) {
    Packed packed;
    packed.samples.resize(lengths.size());
    std::iota(packed.samples.begin(), packed.samples.end(), 0u);
    packed.rows = packRows(packed.samples, lengths, rowLength);
    packed.lengths = std::move(lengths);
    return packed;
}

TEST(Packer, EverySampleStandsOnceAndNoRowOverflows) {
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        std::vector<int32_t> lengths(random() % 500);
        for (int32_t& length : lengths)
            length = 1 + static_cast<int32_t>(random() % 128);
        const Packed packed = pack(lengths, 128);
        std::vector<uint32_t> seen = packed.rows.samples;
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(seen, packed.samples);
        for (int64_t row = 0; row < packed.rows.rowCount(); ++row) {
            int64_t used = 0;
            for (const uint32_t sample : packed.rows.row(row))
                used += packed.lengths[sample];
            EXPECT_GT(used, 0);
            EXPECT_LE(used, 128);
        }
    }
}

TEST(Packer, WastesLittle) {
    std::mt19937 random(6);
    std::vector<int32_t> lengths(20000);
    for (int32_t& length : lengths)
        length = 1 + static_cast<int32_t>(random() % 400);
    const int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    const int64_t rows = pack(lengths, 1024).rows.rowCount();
    EXPECT_LT(static_cast<double>(rows * 1024 - tokens) / static_cast<double>(rows * 1024), 0.005);
}

TEST(Packer, LongestFirstIntoTheTightestPlace) {
    const Packed packed = pack({3, 10, 4, 6, 7}, 10);
    ASSERT_EQ(packed.rows.rowCount(), 3);
    EXPECT_EQ(packed.rows.samples, (std::vector<uint32_t>{1, 4, 0, 3, 2}));  // 10 | 7 3 | 6 4
}

TEST(Packer, NothingMakesNoRows) {
    EXPECT_EQ(pack({}, 8).rows.rowCount(), 0);
}

TEST(Packer, WhatDoesNotFitIsAnError) {
    EXPECT_THROW(pack({9}, 8), Error);
    EXPECT_THROW(pack({0}, 8), Error);
}

}  // namespace
}  // namespace unmask
