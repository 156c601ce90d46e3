// SPDX-License-Identifier: Apache-2.0
// Every bit counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/checkpoint/checkpoint_folder.h"
#include "tests/engine/checkpoint/checkpoint_attempt.h"

namespace unmask {
namespace {
namespace fs = std::filesystem;
using test::Attempt;

TEST(CheckpointDamage, everyBitOfHeadersAndRandomBitsOfTheRestAreFound) {
    const test::TempRun run;
    { Attempt(run).save(20); }
    const fs::path folder = run.folder().checkpoints() / "step-20";
    std::mt19937 random(20261201);
    size_t flips = 0;
    size_t found = 0;
    for (const auto* name : {"manifest.json", "weights.safetensors", "optimizer.safetensors"}) {
        const std::string good = test::readBytes(folder / name);
        const bool tensors = std::string_view(name) != "manifest.json";
        const size_t header = tensors ? SafetensorsReader(folder / name).header().dataStart : good.size();
        for (size_t byte = 0; byte < good.size(); ++byte)
            for (int bit = 0; bit < 8; ++bit) {
                if (byte >= header && random() % 4 != 0)
                    continue;
                test::flipBit(folder / name, byte, bit);
                ++flips;
                try {
                    readCheckpoint(folder, StateParts::everything);
                    ADD_FAILURE() << name << " byte " << byte << " bit " << bit;
                } catch (const Error& error) {
                    found += std::string_view(error.what()).find(name) != std::string_view::npos ? 1 : 0;
                }
                test::flipBit(folder / name, byte, bit);
            }
    }
    EXPECT_EQ(found, flips) << "each message names its file";
    EXPECT_GT(flips, 10000u);
    EXPECT_NO_THROW(readCheckpoint(folder, StateParts::everything));
}

TEST(NonFinite, isFoundInEachFloatingType) {
    const auto part = [](TensorType type, std::string bytes) {
        const auto count = static_cast<int64_t>(bytes.size()) * 8 / tensorTypeBits(type);
        auto data = std::make_shared<std::string>(std::move(bytes));
        void* start = data->data();
        return std::vector<HostPart>{{"w", {{"t", type, {count}, {std::move(data), start}}}}};
    };
    const std::string one("\0\0\x80\x3F", 4);
    EXPECT_FALSE(firstNonFinite(part(TensorType::float32, one + one)).has_value());
    EXPECT_EQ(firstNonFinite(part(TensorType::float32, one + std::string("\0\0\x80\x7F", 4))), "t");
    EXPECT_EQ(firstNonFinite(part(TensorType::float32, one + std::string("\1\0\x80\xFF", 4))), "t");
    EXPECT_EQ(firstNonFinite(part(TensorType::bfloat16, std::string("\x80\x7F", 2))), "t");
    EXPECT_EQ(firstNonFinite(part(TensorType::float16, std::string("\x00\x7C", 2))), "t");
    EXPECT_FALSE(firstNonFinite(part(TensorType::float16, std::string("\xFF\x7B", 2))).has_value());
    EXPECT_EQ(firstNonFinite(part(TensorType::float64, std::string("\0\0\0\0\0\0\xF0\xFF", 8))), "t");
    EXPECT_FALSE(firstNonFinite(part(TensorType::int32, std::string(4, '\xFF'))).has_value());
}

}  // namespace
}  // namespace unmask
