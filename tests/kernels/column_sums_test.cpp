// SPDX-License-Identifier: Apache-2.0
#include "kernels/column_sums/column_sums.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

TEST(ColumnSums, MatchTheReferenceOverStridedRows) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes)
        for (const DType sumsType : kBothTypes)
            for (const auto& [rows, C] : {std::pair{1, 8}, {77, 72}, {5000, 768}}) {
                SCOPED_TRACE(nameOf(type) + " into " + nameOf(sumsType) + " " + std::to_string(rows) + "×" +
                             std::to_string(C));
                const int stride = C + 16;
                Values x(int64_t{rows} * stride, type, 1), sums(C, sumsType, 2),
                    scratch(columnSumsScratch(C), DType::float32, 3);
                succeeded(columnSums(
                    {x.device(), sums.device(), scratch.device<float>(), rows, stride, C, type, sumsType}, nullptr));
                ASSERT_TRUE(
                    columnSumsReference({x.host(), sums.host(), scratch.host<float>(), rows, stride, C, type, sumsType})
                        .ok());
                sums.compare("sums", roundingOf(sumsType), 1e-3);
            }
}

TEST(ColumnSums, RefuseWidthsThatDoNotFitTheirLoads) {
    EXPECT_FALSE(columnSums({.rows = 1, .stride = 12, .C = 12}, nullptr).ok());
}
