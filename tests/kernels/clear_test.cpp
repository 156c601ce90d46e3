// SPDX-License-Identifier: Apache-2.0
#include "kernels/clear/clear.h"

#include <memory>

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

// More pieces than a launch takes, of sizes round the chunk of a block; the harness holds what lies round them.
TEST(Clear, EveryPieceAndNothingElse) {
    SKIP_WITHOUT_GPU();
    constexpr size_t kSizes[] = {16, 0, 16384, 16400, 16368, 1 << 20, 48};
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<MemoryPiece> device, host;
    for (size_t i = 0; i < 60; ++i) {
        const size_t bytes = kSizes[i % 7];
        buffers.push_back(std::make_unique<Buffer>(bytes));
        std::memset(buffers.back()->host(), 1, bytes);
        buffers.back()->upload();
        device.push_back({buffers.back()->device(), bytes});
        host.push_back({buffers.back()->host(), bytes});
    }
    succeeded(clearMemory(device.data(), 60, nullptr));
    ASSERT_TRUE(clearMemoryReference(host.data(), 60).ok());
    for (size_t i = 0; i < 60; ++i) {
        const auto got = buffers[i]->download();
        EXPECT_EQ(std::memcmp(got.data(), buffers[i]->host(), got.size()), 0) << i;
    }
}

TEST(Clear, RefusesWhatIsNotAligned) {
    alignas(16) char memory[32];
    const MemoryPiece shifted{memory + 8, 16}, odd{memory, 8};
    EXPECT_FALSE(clearMemory(&shifted, 1, nullptr).ok());
    EXPECT_FALSE(clearMemory(&odd, 1, nullptr).ok());
    EXPECT_TRUE(clearMemory(nullptr, 0, nullptr).ok());
}
