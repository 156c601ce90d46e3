// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows/rows.h"

#include <algorithm>

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

TEST(Rows, GatherAndScatterMatchTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes)
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

// Tokens that are rare, tokens that overflow their bucket, a token that is everywhere (the mask), ids outside the
// vocabulary, and tokens that lie together in one place.
TEST(Rows, EmbeddingBackwardAddsEveryRowOnce) {
    SKIP_WITHOUT_GPU();
    struct Case {
        int rows, vocabulary, C, maskShare;
    };
    constexpr Case kCases[] = {{1, 4, 8, 0},         {33, 1, 16, 0},        {64, 3, 128, 0},      {65, 2, 128, 100},
                               {1000, 384, 128, 50}, {4096, 5003, 512, 50}, {777, 300, 1536, 10}, {5000, 40, 520, 0},
                               {9000, 150, 768, 50}, {5001, 259, 1024, 60}, {3000, 70, 2056, 30}, {70000, 900, 64, 1}};
    for (const DType type : kBothTypes)
        for (const Case& c : kCases)
            for (const DType weightType : kBothTypes) {
                SCOPED_TRACE(nameOf(type) + " " + nameOf(weightType) + " rows " + std::to_string(c.rows));
                Values gradient(int64_t{c.rows} * c.C, type, 1), weight(int64_t{c.vocabulary} * c.C, weightType, 2);
                Buffer tokens(sizeof(int32_t) * static_cast<size_t>(c.rows));
                std::mt19937 random(7);
                for (int r = 0; r < c.rows; ++r) {
                    int32_t& token = tokens.host<int32_t>()[r];
                    token = static_cast<int>(random() % static_cast<unsigned>(c.vocabulary));
                    if (static_cast<int>(random() % 100) < c.maskShare)
                        token = c.vocabulary - 1;
                    if (r > c.rows / 2 && r < c.rows / 2 + 60)
                        token = 0;
                    if (r % 501 == 500)
                        token = r % 2 == 0 ? -1 : c.vocabulary;
                }
                tokens.upload();
                const size_t bytes = embeddingBackwardScratch(c.rows, c.vocabulary, c.C);
                Buffer scratch(bytes);
                const auto args = [&](const int32_t* t, const void* g, void* w) {
                    return EmbeddingBackwardArgs{t,     g,    w,         c.rows, c.vocabulary, c.C, scratch.device(),
                                                 bytes, type, weightType};
                };
                const auto onDevice = args(tokens.device<int32_t>(), gradient.device(), weight.device());
                succeeded(embeddingBackward(onDevice, nullptr));
                scratch.download();
                const auto first = weight.download();
                weight.upload();
                succeeded(embeddingBackward(onDevice, nullptr));
                EXPECT_EQ(first, weight.download()) << "a second time gave other bits";
                ASSERT_TRUE(
                    embeddingBackwardReference(args(tokens.host<int32_t>(), gradient.host(), weight.host())).ok());
                weight.compare("weight gradient", std::max(1e-4, roundingOf(weightType)), 1e-6 * c.rows + 1e-6);
            }
}
