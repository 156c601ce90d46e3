// SPDX-License-Identifier: Apache-2.0
#include "kernels/adamw/adamw.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {
class Scalars : public Buffer {
 public:
    explicit Scalars(UpdateScalars value) : Buffer(sizeof value) {
        std::memcpy(host(), &value, sizeof value);
        upload();
    }
    UpdateScalars now() {
        UpdateScalars value;
        const auto bytes = download();
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
};
}  // namespace

TEST(AdamW, MatchesTheReferenceAndHoldsBackWhenToldSo) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kBothTypes)
        for (const int finite : {1, 0})
            for (const int64_t count : {int64_t{8}, int64_t{4104}, int64_t{100000}}) {
                Values weights(count, type, 1), master(count, DType::float32, 1), gradients(count, type, 2),
                    m(count, DType::float32, 3, 0.1), v(count, DType::float32, 4, 0.1);
                for (int64_t i = 0; i < count; ++i)
                    v.host<float>()[i] = std::abs(v.host<float>()[i]);
                v.upload();
                Scalars scalars({3e-4f, 1 - 0.9f, 1 - 0.95f, 0.5f, 2.0, finite});
                const auto args = [&](auto&& at) {
                    return AdamWArgs{at(weights),
                                     type == DType::float32 ? nullptr : static_cast<float*>(at(master)),
                                     at(gradients),
                                     static_cast<float*>(at(m)),
                                     static_cast<float*>(at(v)),
                                     static_cast<const UpdateScalars*>(at(scalars)),
                                     count,
                                     count / 2 / 8 * 8,
                                     0.9f,
                                     0.95f,
                                     1e-8f,
                                     0.1f,
                                     type,
                                     type};
                };
                succeeded(adamw(args([](Buffer& b) { return b.device(); }), nullptr));
                ASSERT_TRUE(adamwReference(args([](Buffer& b) { return b.host(); })).ok());
                weights.compare("weights", roundingOf(type), 1e-7);
                master.compare("master", 2e-6, 1e-7);
                m.compare("m", 1e-5, 1e-7);
                v.compare("v", 1e-5, 1e-8);
            }
}

TEST(GradientNorm, SumsAllSlabsAndSeesWhatIsNotFinite) {
    SKIP_WITHOUT_GPU();
    Values a(100000, DType::bfloat16, 1), b(808, DType::bfloat16, 2);
    Buffer partials(sizeof(double) * 2 * static_cast<size_t>(normPartials()));
    Scalars scalars({});
    const auto run = [&](float clip) {
        succeeded(gradientSquares({a.device(), 100000, partials.device<double>(), DType::bfloat16}, nullptr));
        succeeded(
            gradientSquares({b.device(), 808, partials.device<double>() + normPartials(), DType::bfloat16}, nullptr));
        succeeded(
            finishNorm(partials.device<double>(), 2 * normPartials(), clip, scalars.device<UpdateScalars>(), nullptr));
        return scalars.now();
    };
    const double expected = std::sqrt(gradientSquaresReference({a.host(), 100000, nullptr, DType::bfloat16}) +
                                      gradientSquaresReference({b.host(), 808, nullptr, DType::bfloat16}));
    const UpdateScalars clipped = run(1.0f), unclipped = run(0.0f);
    EXPECT_NEAR(clipped.norm, expected, 1e-5 * expected);
    EXPECT_NEAR(clipped.clipFactor, 1 / expected, 1e-6);
    EXPECT_EQ(unclipped.clipFactor, 1.0f);
    EXPECT_EQ(clipped.finite, 1);
    setValue(b.host(), 5, DType::bfloat16, NAN);
    b.upload();
    EXPECT_EQ(run(1.0f).finite, 0);
}
