// SPDX-License-Identifier: Apache-2.0
// The device's masks against the shelf's noise keys, bit for bit.
#include "kernels/mask_noise/mask_noise.h"

#include <algorithm>

#include "engine/base/noise_keys.h"
#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

TEST(MaskNoise, EqualsTheHostBitForBit) {
    SKIP_WITHOUT_GPU();
    constexpr int kLengths[] = {64, 1, 17, 1024, 256, 255, 3000};
    constexpr int kCounts[] = {32, 1, 0, 1000, 256, 1, 1234};
    constexpr uint64_t kSeed = 0x1234567890ABCDEF;
    constexpr int32_t kMask = 258;
    std::vector<MaskSegment> segments;
    int begin = 5, rows = 0;  // five positions belong to no sample
    for (int s = 0; s < 7; ++s) {
        segments.push_back({(int64_t{1} << 34) + s * 1000, s, begin, kLengths[s], kCounts[s], rows, 0, 0.5 / (s + 1)});
        begin += kLengths[s] + s;
        rows += kCounts[s];
    }
    const int positions = begin, capacity = rows + 9;
    std::vector<int32_t> tokens(static_cast<size_t>(positions)), noisy, wantedRows;
    for (int i = 0; i < positions; ++i)
        tokens[static_cast<size_t>(i)] = i % 257;
    noisy = tokens;
    std::vector<double> wantedWeights;
    const unmask::NoiseKeys keys(kSeed);
    for (const MaskSegment& s : segments) {
        std::vector<uint64_t> order;
        for (int i = 0; i < s.length; ++i)
            order.push_back(uint64_t{keys.bits32(unmask::NoiseTag::mask, static_cast<uint64_t>(s.datasetIndex),
                                                 static_cast<uint32_t>(s.visit), static_cast<uint64_t>(i))}
                                << 32 |
                            static_cast<uint64_t>(i));
        std::sort(order.begin(), order.end());
        std::vector<int> chosen;
        for (int i = 0; i < s.count; ++i)
            chosen.push_back(static_cast<int>(order[static_cast<size_t>(i)] & 0xFFFFFFFF));
        std::sort(chosen.begin(), chosen.end());
        for (const int i : chosen) {
            noisy[static_cast<size_t>(s.begin + i)] = kMask;
            wantedRows.push_back(s.begin + i);
            wantedWeights.push_back(s.weight);
        }
    }
    const auto size = [](auto& v) { return v.size() * sizeof v[0]; };
    Buffer t(size(tokens)), seg(size(segments)), n(size(tokens)), r(4 * static_cast<size_t>(capacity)),
        target(8 * static_cast<size_t>(capacity)), weight(8 * static_cast<size_t>(capacity));
    std::memcpy(t.host(), tokens.data(), size(tokens));
    std::memcpy(seg.host(), segments.data(), size(segments));
    t.upload(), seg.upload();
    succeeded(maskNoise({t.device<int32_t>(), seg.device<MaskSegment>(), n.device<int32_t>(), r.device<int32_t>(),
                         target.device<int64_t>(), weight.device<double>(), positions, 7, capacity, kSeed,
                         static_cast<uint32_t>(unmask::NoiseTag::mask), kMask},
                        nullptr));
    const auto gotNoisy = n.download(), gotRows = r.download(), gotTargets = target.download(),
               gotWeights = weight.download();
    EXPECT_EQ(0, std::memcmp(gotNoisy.data(), noisy.data(), size(noisy)));
    for (int i = 0; i < capacity; ++i) {
        const bool used = i < rows;
        EXPECT_EQ(reinterpret_cast<const int32_t*>(gotRows.data())[i], used ? wantedRows[static_cast<size_t>(i)] : -1);
        EXPECT_EQ(reinterpret_cast<const int64_t*>(gotTargets.data())[i],
                  used ? tokens[static_cast<size_t>(wantedRows[static_cast<size_t>(i)])] : -1);
        EXPECT_EQ(reinterpret_cast<const double*>(gotWeights.data())[i],
                  used ? wantedWeights[static_cast<size_t>(i)] : 0.0);
    }
}
