// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/arena.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

TEST(Arena, HandsOutAlignedPiecesAndNoMoreThanPlanned) {
    Arena arena(3 * kArenaAlignment);
    const at::Tensor first = arena.take({"first", 10, 4}, at::kFloat);
    const at::Tensor second = arena.take({"second", 33, 8}, at::kDouble);
    EXPECT_EQ(first.numel(), 10);
    EXPECT_EQ(second.scalar_type(), at::kDouble);
    const auto distance = static_cast<char*>(second.data_ptr()) - static_cast<char*>(first.data_ptr());
    EXPECT_EQ(distance, kArenaAlignment);
    EXPECT_EQ(arena.used(), arena.bytes());
    EXPECT_FALSE(arena.take({"empty", 0, 4}, at::kFloat).defined());
    EXPECT_THROW(arena.take({"third", 1, 4}, at::kFloat), Error);
}

TEST(Arena, WhatTheMachineCannotGiveIsSaidInWords) {
    try {
        const Arena arena(int64_t{1} << 60);
        FAIL() << "an exbibyte was given";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::hostOutOfMemory);
        EXPECT_NE(std::string(error.what()).find("smaller micro-batch"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace unmask
