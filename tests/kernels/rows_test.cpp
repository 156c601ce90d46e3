// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows/rows.h"

#include <algorithm>

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

TEST(Rows, GatherAndScatterMatchTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kBothTypes)
        for (const auto& [limit, rows, C] : {std::tuple{10, 3, 8}, {500, 333, 128}, {1000, 515, 768}}) {
            Values table(int64_t{limit} * C, type, 1), out(int64_t{rows} * C, type, 2);
            std::vector<int32_t> order(static_cast<size_t>(limit));
            for (int i = 0; i < limit; ++i)
                order[static_cast<size_t>(i)] = i;
            std::shuffle(order.begin(), order.end(), std::mt19937(3));
            Buffer index(sizeof(int32_t) * static_cast<size_t>(rows));
            std::copy_n(order.begin(), rows, index.host<int32_t>());
            index.host<int32_t>()[rows / 2] = -1;
            index.upload();
            succeeded(
                gatherRows({table.device(), index.device<int32_t>(), out.device(), rows, limit, C, type}, nullptr));
            ASSERT_TRUE(
                gatherRowsReference({table.host(), index.host<int32_t>(), out.host(), rows, limit, C, type}).ok());
            out.compare("gathered", 0, 1e-30);
            for (const bool add : {true, false}) {
                succeeded(
                    scatterRows({out.device(), index.device<int32_t>(), table.device(), rows, C, add, type}, nullptr));
                ASSERT_TRUE(
                    scatterRowsReference({out.host(), index.host<int32_t>(), table.host(), rows, C, add, type}).ok());
                table.compare("scattered", roundingOf(type), 1e-5);
                table.upload();
            }
        }
}

// Runs of one token inside a span, over borders, over several spans, and a token that is everywhere (the mask).
TEST(Rows, EmbeddingBackwardAddsEveryRunOnce) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kBothTypes)
        for (const auto& [rows, vocabulary, C, maskShare] : {std::tuple{1, 4, 8, 0},
                                                             {63, 5, 16, 50},
                                                             {64, 3, 128, 0},
                                                             {65, 2, 128, 100},
                                                             {1000, 384, 128, 50},
                                                             {4096, 50304, 512, 50},
                                                             {777, 300, 1536, 10}}) {
            SCOPED_TRACE(nameOf(type) + " rows " + std::to_string(rows));
            Values gradient(int64_t{rows} * C, type, 1), weight(int64_t{vocabulary} * C, DType::float32, 2);
            Buffer tokens(sizeof(int32_t) * static_cast<size_t>(rows));
            std::mt19937 random(7);
            for (int r = 0; r < rows; ++r)
                tokens.host<int32_t>()[r] = static_cast<int>(random() % 100) < maskShare
                                                ? vocabulary - 1
                                                : static_cast<int>(random() % static_cast<unsigned>(vocabulary));
            tokens.upload();
            const size_t bytes = embeddingBackwardScratch(rows, C);
            Buffer scratch(bytes);
            const auto args = [&](const int32_t* t, const void* g, void* w) {
                return EmbeddingBackwardArgs{
                    t, g, w, rows, vocabulary, C, scratch.device(), bytes, type, DType::float32};
            };
            succeeded(embeddingBackward(args(tokens.device<int32_t>(), gradient.device(), weight.device()), nullptr));
            scratch.download();
            const auto first = weight.download();
            weight.upload();
            succeeded(embeddingBackward(args(tokens.device<int32_t>(), gradient.device(), weight.device()), nullptr));
            EXPECT_EQ(first, weight.download()) << "a second time gave other bits";
            ASSERT_TRUE(embeddingBackwardReference(args(tokens.host<int32_t>(), gradient.host(), weight.host())).ok());
            weight.compare("weight gradient", 1e-4, 1e-5 * rows);
        }
}
