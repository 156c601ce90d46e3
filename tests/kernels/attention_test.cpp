// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {

class Integers : public Buffer {
 public:
    explicit Integers(std::vector<int32_t> values) : Buffer(values.size() * sizeof(int32_t)) {
        std::memcpy(host(), values.data(), values.size() * sizeof(int32_t));
        upload();
    }
};

// Segments of uneven length with a gap, one of them without queries.
const std::vector<int32_t> kBounds{0, 5, 0, 37, 5, 5, 37, 40, 5, 148, 44, 231};
constexpr int kSegments = 3, kQueries = 150, kKeys = 234, kLongest = 187;

}  // namespace

TEST(Attention, ForwardAndBackwardMatchTheReference) {
    SKIP_WITHOUT_GPU();
    struct Case {
        int heads, groups, D;
    };
    for (const DType type : kAllTypes)
        for (const auto& [heads, groups, D] :
             {Case{2, 2, 64}, Case{4, 2, 20}, Case{2, 1, 128}, Case{2, 1, 80}, Case{1, 1, 256}, Case{2, 2, 18}}) {
            SCOPED_TRACE(nameOf(type) + " head width " + std::to_string(D));
            const int64_t width = int64_t{heads} * D, groupWidth = int64_t{groups} * D, stride = 2 * groupWidth;
            Integers bounds(kBounds);
            Values query(kQueries * width, type, 1), keys(kKeys * stride, type, 2), out(kQueries * width, type, 3),
                sums(int64_t{kQueries} * heads, DType::float32, 4), delta(int64_t{kQueries} * heads, DType::float32, 5);
            Values gradientOut(kQueries * width, type, 6), toQuery(kQueries * width, type, 7),
                toKeys(kKeys * stride, type, 8);
            const auto args = [&](auto&& at) {
                auto* key = static_cast<unsigned char*>(at(keys));
                return AttentionArgs{{static_cast<const int32_t*>(at(bounds)), kSegments, kLongest, heads, groups, D,
                                      1 / std::sqrt(static_cast<float>(D)), type},
                                     at(query),
                                     key,
                                     key + static_cast<size_t>(groupWidth) * bytesOf(type),
                                     at(out),
                                     static_cast<float*>(at(sums)),
                                     width,
                                     stride};
            };
            const auto device = [](Buffer& b) { return b.device<void>(); };
            const auto host = [](Buffer& b) { return b.host<void>(); };
            succeeded(attentionForward(args(device), nullptr));
            ASSERT_TRUE(attentionForwardReference(args(host)).ok());
            const double rounding = type == DType::float32 ? 1e-4 : 1e-2;
            out.compare("out", rounding, rounding);
            sums.compare("log-sum-exp", 1e-4, 1e-4);

            out.upload(), sums.upload();  // both go back from the same values
            const auto back = [&](auto&& at) {
                auto* key = static_cast<unsigned char*>(at(toKeys));
                return AttentionBackwardArgs{args(at),
                                             at(gradientOut),
                                             at(toQuery),
                                             key,
                                             key + static_cast<size_t>(groupWidth) * bytesOf(type),
                                             width,
                                             stride,
                                             static_cast<float*>(at(delta))};
            };
            succeeded(attentionBackward(back(device), nullptr));
            ASSERT_TRUE(attentionBackwardReference(back(host)).ok());
            toQuery.compare("gradient of query", 2 * rounding, rounding);
            toKeys.compare("gradients of key and value", 2 * rounding, rounding);
        }
}

TEST(Attention, SegmentTablesMatchTheReference) {
    SKIP_WITHOUT_GPU();
    Integers bounds(kBounds);
    constexpr int kEntries = kSegments + 1;
    Integers tables(std::vector<int32_t>(8 * kEntries, -7));
    const auto args = [&](auto&& at) {
        auto* t = static_cast<int32_t*>(at(tables));
        return SegmentTableArgs{static_cast<const int32_t*>(at(bounds)),
                                kSegments,
                                192,
                                128,
                                64,
                                2,
                                192,
                                128,
                                {t, t + kEntries, t + 2 * kEntries, t + 3 * kEntries, t + 4 * kEntries,
                                 t + 5 * kEntries, t + 6 * kEntries, t + 7 * kEntries}};
    };
    succeeded(segmentTables(args([](Buffer& b) { return b.device<void>(); }), nullptr));
    ASSERT_TRUE(segmentTablesReference(args([](Buffer& b) { return b.host<void>(); })).ok());
    EXPECT_EQ(std::memcmp(tables.download().data(), tables.host(), 8 * kEntries * sizeof(int32_t)), 0);
}

TEST(Attention, RefusesWhatItCannotCompute) {
    EXPECT_FALSE(attentionForward({.shape = {.heads = 3, .groups = 2, .D = 64}}, nullptr).ok());
    EXPECT_FALSE(attentionForward({.shape = {.heads = 2, .groups = 2, .D = 300}}, nullptr).ok());
    EXPECT_FALSE(segmentTables({}, nullptr).ok());
}
