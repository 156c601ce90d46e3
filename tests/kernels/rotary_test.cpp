// SPDX-License-Identifier: Apache-2.0
#include "kernels/rotary/rotary.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {
struct Case {
    int rows, heads, D, stride;
};
constexpr Case kCases[] = {{1, 1, 16, 16},     {65, 4, 32, 384}, {130, 8, 64, 1536}, {33, 3, 128, 384},
                           {17, 2, 256, 1024}, {40, 5, 48, 240}, {12, 3, 208, 632}};
}  // namespace

TEST(Rotary, TurnsAndTurnsBackAsTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes)
        for (const Case& c : kCases)
            for (const bool inverse : {false, true}) {
                SCOPED_TRACE(nameOf(type) + " D " + std::to_string(c.D));
                Values x(int64_t{c.rows} * c.stride, type, 1), table(int64_t{c.rows} * c.D, DType::float32, 2);
                Buffer positions(sizeof(int32_t) * static_cast<size_t>(c.rows));
                for (int r = 0; r < c.rows; ++r)
                    positions.host<int32_t>()[r] = r * 7 % c.rows;
                positions.upload();
                const auto args = [&](auto* data, const int32_t* p, const float* t) {
                    return RotaryArgs{data, p, t, c.rows, c.stride, c.heads, c.D, inverse, type};
                };
                succeeded(rotary(args(x.device(), positions.device<int32_t>(), table.device<float>()), nullptr));
                ASSERT_TRUE(rotaryReference(args(x.host(), positions.host<int32_t>(), table.host<float>())).ok());
                x.compare("x", roundingOf(type), roundingOf(type));
            }
}

TEST(HeadNorm, ForwardAndBackwardMatchTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kBothTypes)
        for (const Case& c : kCases)
            for (const bool turns : {false, true}) {
                SCOPED_TRACE(nameOf(type) + " D " + std::to_string(c.D) + (turns ? " turned" : ""));
                const int64_t items = int64_t{c.rows} * c.heads;
                Values x(int64_t{c.rows} * c.stride, type, 1), weight(c.D, type, 2), raw(items * c.D, type, 3),
                    rstd(items, DType::float32, 4), table(int64_t{c.rows} * c.D, DType::float32, 8);
                Buffer positions(sizeof(int32_t) * static_cast<size_t>(c.rows));
                for (int r = 0; r < c.rows; ++r)
                    positions.host<int32_t>()[r] = r * 7 % c.rows;
                positions.upload();
                const auto onDevice = [](Buffer& b) { return b.device(); };
                const auto onHost = [](Buffer& b) { return b.host(); };
                const auto forward = [&](auto&& at) {
                    return HeadNormArgs{.x = at(x),
                                        .weight = at(weight),
                                        .positions = static_cast<int32_t*>(at(positions)),
                                        .table = turns ? static_cast<float*>(at(table)) : nullptr,
                                        .raw = at(raw),
                                        .rstd = static_cast<float*>(at(rstd)),
                                        .rows = c.rows,
                                        .stride = c.stride,
                                        .heads = c.heads,
                                        .D = c.D,
                                        .epsilon = 1e-5f,
                                        .dtype = type};
                };
                succeeded(headNormForward(forward(onDevice), nullptr));
                ASSERT_TRUE(headNormForwardReference(forward(onHost)).ok());
                x.compare("x", 2 * roundingOf(type), roundingOf(type));
                raw.compare("raw", 0, 1e-30);
                rstd.upload();
                const DType gradientType = c.rows % 2 == 0 ? DType::float32 : type;
                Values gradient(int64_t{c.rows} * c.stride, type, 5), dw(c.D, gradientType, 6),
                    scratch(headNormScratch(c.D), DType::float32, 7);
                const auto backward = [&](auto&& at) {
                    return HeadNormBackwardArgs{.gradient = at(gradient),
                                                .weight = at(weight),
                                                .positions = static_cast<int32_t*>(at(positions)),
                                                .table = turns ? static_cast<float*>(at(table)) : nullptr,
                                                .raw = at(raw),
                                                .rstd = static_cast<float*>(at(rstd)),
                                                .weightGradient = at(dw),
                                                .scratch = static_cast<float*>(at(scratch)),
                                                .rows = c.rows,
                                                .stride = c.stride,
                                                .heads = c.heads,
                                                .D = c.D,
                                                .dtype = type,
                                                .gradientDtype = gradientType};
                };
                succeeded(headNormBackward(backward(onDevice), nullptr));
                ASSERT_TRUE(headNormBackwardReference(backward(onHost)).ok());
                gradient.compare("gradient", 2 * roundingOf(type), 2 * roundingOf(type));
                dw.compare("weight gradient", std::max(1e-3, 2 * roundingOf(gradientType)),
                           1e-4 * static_cast<double>(items));
            }
}
