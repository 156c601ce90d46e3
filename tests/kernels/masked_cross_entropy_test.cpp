// SPDX-License-Identifier: Apache-2.0
#include "kernels/masked_cross_entropy/masked_cross_entropy.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {
struct Case {
    int rows, V, used, mask;
};
constexpr Case kCases[] = {
    {1, 8, 3, 2}, {33, 384, 259, 258}, {5, 8200, 8199, -1}, {17, 50304, 50258, 50257}, {3, 126464, 126349, 126336}};
}  // namespace

TEST(MaskedCrossEntropy, LossAndGradientMatchTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes)
        for (const Case& c : kCases)
            for (const auto& [withGradient, zLoss] : {std::pair{true, 0.0f}, {true, 0.01f}, {false, 0.0f}}) {
                SCOPED_TRACE(nameOf(type) + " V " + std::to_string(c.V));
                Values logits(int64_t{c.rows} * c.V, type, 1, 8);
                Buffer targets(8 * static_cast<size_t>(c.rows)), weights(8 * static_cast<size_t>(c.rows)),
                    losses(8 * static_cast<size_t>(c.rows));
                std::mt19937 random(5);
                for (int r = 0; r < c.rows; ++r) {
                    int64_t target = static_cast<int64_t>(random() % static_cast<unsigned>(c.used));
                    if (target == c.mask)
                        target = 0;
                    targets.host<int64_t>()[r] = r == 2 ? -1 : target;
                    weights.host<double>()[r] = r == 1 ? -0.25 : 1.5 / (r + 1);
                }
                targets.upload(), weights.upload();
                const auto args = [&, withGradient = withGradient, zLoss = zLoss](void* l, const int64_t* t,
                                                                                  const double* w, double* out) {
                    return MaskedCrossEntropyArgs{
                        l, t, withGradient ? w : nullptr, out, c.rows, c.V, c.used, c.mask, type, zLoss};
                };
                succeeded(maskedCrossEntropy(
                    args(logits.device(), targets.device<int64_t>(), weights.device<double>(), losses.device<double>()),
                    nullptr));
                ASSERT_TRUE(maskedCrossEntropyReference(args(logits.host(), targets.host<int64_t>(),
                                                             weights.host<double>(), losses.host<double>()))
                                .ok());
                const auto got = losses.download();
                for (int r = 0; r < c.rows; ++r)
                    EXPECT_NEAR(reinterpret_cast<const double*>(got.data())[r], losses.host<double>()[r], 2e-4)
                        << "row " << r;
                logits.compare("gradient", roundingOf(type), 1e-6);
            }
}
