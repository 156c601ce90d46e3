// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/norm.h"

#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>

#include "engine/base/error.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuNorm : public GpuTest {};

struct Case {
    int64_t rows, width;
    bool layer, residual, inPlace;
};
constexpr Case kCases[] = {{1, 8, false, true, true},
                           {37, 104, true, true, false},
                           {130, 512, false, false, false},
                           {515, 768, false, true, false},
                           {64, 1536, true, false, true}};

TEST_F(GpuNorm, ForwardAndBackwardMatchTheCpu) {
    for (const Types& types : mixtures())
        for (const Case& c : kCases) {
            SCOPED_TRACE(std::string(at::toString(types.values)) + " width " + std::to_string(c.width));
            Pair x(uniform({c.rows, c.width}, 2), types.values), delta(uniform({c.rows, c.width}), types.values);
            Pair weight(uniform({c.width}), types.values), bias(uniform({c.width}), types.values);
            Pair sum(uniform({c.rows, c.width}), types.values), y(uniform({c.rows, c.width}), types.values);
            Pair rstd(uniform({c.rows}), at::kFloat), mean(uniform({c.rows}), at::kFloat);
            const auto forward = [&](at::Tensor Pair::*side) {
                normForward({.x = x.*side,
                             .delta = c.residual ? delta.*side : at::Tensor{},
                             .weight = weight.*side,
                             .bias = c.layer ? bias.*side : at::Tensor{},
                             .sum = c.inPlace ? x.*side : sum.*side,
                             .y = y.*side,
                             .rstd = rstd.*side,
                             .mean = c.layer ? mean.*side : at::Tensor{}});
            };
            forward(&Pair::device), forward(&Pair::host);
            const double rounding = roundingOf(types.values);
            (c.inPlace ? x : sum).compare("sum", rounding, 1e-6);
            y.compare("y", 2 * rounding, 2 * rounding);
            rstd.compare("rstd", 1e-2, 1e-5);

            Pair input((c.inPlace ? x : sum).host, types.values), statistic(rstd.host, at::kFloat),
                centre(c.layer ? mean.host : rstd.host, at::kFloat);
            Pair gradientY(uniform({c.rows, c.width}), types.values),
                gradient(uniform({c.rows, c.width}), types.values);
            Pair dw(uniform({c.width}), types.gradients), db(uniform({c.width}), types.gradients);
            const at::Tensor scratch = at::zeros({at::get_num_threads() * 2 * c.width}, float64());
            // y once more over the incoming gradient
            const auto backward = [&](at::Tensor Pair::*side) {
                normBackward({.gradientY = gradientY.*side,
                              .sum = input.*side,
                              .weight = weight.*side,
                              .rstd = statistic.*side,
                              .mean = c.layer ? centre.*side : at::Tensor{},
                              .gradient = gradient.*side,
                              .weightGradient = dw.*side,
                              .biasGradient = c.layer ? db.*side : at::Tensor{},
                              .scratch = side == &Pair::host ? scratch : at::Tensor{},
                              .y = c.rows % 2 == 1 ? gradientY.*side : at::Tensor{},
                              .bias = c.layer ? bias.*side : at::Tensor{}});
            };
            backward(&Pair::device), backward(&Pair::host);
            gradient.compare("gradient", 2 * rounding, 2 * rounding);
            gradientY.compare("y once more", 2 * rounding, 2 * rounding);
            const double relative = std::max(1e-3, 2 * roundingOf(types.gradients));
            dw.compare("weight gradient", relative, 1e-4 * static_cast<double>(c.rows));
            db.compare("bias gradient", relative, 1e-4 * static_cast<double>(c.rows));
        }
}

TEST_F(GpuNorm, AWidthThatNoKernelHasIsAnErrorInWords) {
    const at::Tensor x = at::zeros({2, 12}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA));
    const at::Tensor row = x[0].clone(), statistic = x.flatten().narrow(0, 0, 2).clone();
    try {
        normForward({.x = x, .weight = row, .sum = x, .y = x.clone(), .rstd = statistic});
        FAIL() << "12 columns were taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("multiple of 8"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace unmask::gpu
