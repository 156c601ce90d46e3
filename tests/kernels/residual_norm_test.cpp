// SPDX-License-Identifier: Apache-2.0
#include "kernels/residual_norm/residual_norm.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {
struct Case {
    int64_t rows;
    int C;
    bool layer, residual;
};
constexpr Case kCases[] = {{1, 8, false, true},     {7, 128, true, false},    {33, 320, false, false},
                           {129, 512, false, true}, {1000, 768, false, true}, {515, 1024, false, true},
                           {64, 1536, true, true},  {9, 4096, false, true},   {5, 8192, true, true}};
}  // namespace

TEST(ResidualNorm, ForwardAndBackwardMatchTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes)
        for (const Case& c : kCases) {
            SCOPED_TRACE(nameOf(type) + " rows " + std::to_string(c.rows) + " C " + std::to_string(c.C));
            const int64_t n = c.rows * c.C;
            Values x(n, type, 1, 2), delta(n, type, 2), weight(c.C, type, 3), bias(c.C, type, 4), sum(n, type, 5),
                y(n, type, 6);
            Values rstd(c.rows, DType::float32, 7), mean(c.rows, DType::float32, 8);
            const auto args = [&](auto&& at) {
                return ResidualNormArgs{.x = at(x),
                                        .delta = c.residual ? at(delta) : nullptr,
                                        .weight = at(weight),
                                        .bias = c.layer ? at(bias) : nullptr,
                                        .sum = at(sum),
                                        .y = at(y),
                                        .rstd = static_cast<float*>(at(rstd)),
                                        .mean = c.layer ? static_cast<float*>(at(mean)) : nullptr,
                                        .rows = c.rows,
                                        .C = c.C,
                                        .epsilon = 1e-5f,
                                        .dtype = type};
            };
            const auto onDevice = [](Buffer& b) { return b.device(); };
            const auto onHost = [](Buffer& b) { return b.host(); };
            succeeded(residualNormForward(args(onDevice), nullptr));
            ASSERT_TRUE(residualNormForwardReference(args(onHost)).ok());
            sum.compare("sum", roundingOf(type), 1e-6);
            y.compare("y", 2 * roundingOf(type), 2 * roundingOf(type));
            rstd.compare("rstd", 1e-2, 1e-5);

            sum.upload(), rstd.upload(), mean.upload();  // the backward pass starts from equal values on both sides
            const DType gradientType = c.rows % 2 == 0 ? DType::float32 : type;
            Values gradientY(n, type, 9), gradient(n, type, 10), dw(c.C, gradientType, 11), db(c.C, gradientType, 12);
            Values scratch(residualNormScratch(c.C), DType::float32, 13), again(n, type, 14);
            // y once more: elsewhere, over the incoming gradient, or not at all.
            Buffer* const written = c.rows % 3 == 0 ? &again : c.rows % 3 == 1 ? &gradientY : nullptr;
            const auto back = [&](auto&& at) {
                return ResidualNormBackwardArgs{.gradientY = at(gradientY),
                                                .sum = at(sum),
                                                .weight = at(weight),
                                                .rstd = static_cast<float*>(at(rstd)),
                                                .mean = c.layer ? static_cast<float*>(at(mean)) : nullptr,
                                                .gradient = at(gradient),
                                                .weightGradient = at(dw),
                                                .biasGradient = c.layer ? at(db) : nullptr,
                                                .scratch = static_cast<float*>(at(scratch)),
                                                .y = written != nullptr ? at(*written) : nullptr,
                                                .bias = c.layer ? at(bias) : nullptr,
                                                .rows = c.rows,
                                                .C = c.C,
                                                .dtype = type,
                                                .gradientDtype = gradientType};
            };
            succeeded(residualNormBackward(back(onDevice), nullptr));
            ASSERT_TRUE(residualNormBackwardReference(back(onHost)).ok());
            gradient.compare("gradient", 2 * roundingOf(type), 2 * roundingOf(type));
            again.compare("y", 2 * roundingOf(type), 2 * roundingOf(type));
            gradientY.compare("y over the incoming gradient", 2 * roundingOf(type), 2 * roundingOf(type));
            const double relative = std::max(1e-3, 2 * roundingOf(gradientType));
            dw.compare("weight gradient", relative, 1e-4 * static_cast<double>(c.rows));
            if (c.layer)
                db.compare("bias gradient", relative, 1e-4 * static_cast<double>(c.rows));
        }
}

TEST(ResidualNorm, RefusesWhatItCannotDo) {
    EXPECT_FALSE(residualNormForward({.rows = 1, .C = 7}, nullptr).ok());
    EXPECT_FALSE(residualNormForward({.rows = 1, .C = 16384}, nullptr).ok());
    EXPECT_FALSE(residualNormBackward({.rows = -1, .C = 8}, nullptr).ok());
}
