// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/rotary.h"

#include <ATen/Parallel.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/zeros.h>

#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuRotary : public GpuTest {};

struct Case {
    int64_t rows, heads, headWidth, before, after;  // columns of the fused rows round the heads
    bool norm;
};
constexpr Case kCases[] = {{1, 1, 16, 0, 0, false},   {77, 3, 64, 0, 192, false}, {77, 3, 64, 192, 192, true},
                           {130, 2, 48, 96, 0, true}, {33, 2, 128, 0, 8, true},   {19, 1, 256, 8, 16, false}};
constexpr int64_t kLength = 300;

// Heads inside wider rows: the neighbours must stay as they are.
TEST_F(GpuRotary, ForwardAndBackwardMatchTheCpuInsideFusedRows) {
    for (const Types& types : mixtures())
        for (const Case& c : kCases) {
            SCOPED_TRACE(std::string(at::toString(types.values)) + " head width " + std::to_string(c.headWidth));
            const int64_t width = c.heads * c.headWidth;
            Pair table(at::zeros({kLength, c.headWidth}, float64()), at::kFloat);
            rotaryTable(table.host, 10000), rotaryTable(table.device, 10000);
            table.compare("table", 1e-6, 1e-6);
            Pair positions(at::randint(kLength, {c.rows}, at::TensorOptions().dtype(at::kInt)), at::kInt);
            Pair rows(uniform({c.rows, c.before + width + c.after}), types.values);
            Pair weight(uniform({c.headWidth}), types.values), raw(uniform({c.rows, width}), types.values),
                rstd(uniform({c.rows, c.heads}), at::kFloat);
            const auto heads = [&](const at::Tensor& fused) { return fused.narrow(1, c.before, width); };
            const auto forward = [&](at::Tensor Pair::*side) {
                rotaryForward({.x = heads(rows.*side),
                               .positions = positions.*side,
                               .table = table.*side,
                               .headWidth = c.headWidth,
                               .normWeight = c.norm ? weight.*side : at::Tensor{},
                               .raw = raw.*side,
                               .rstd = rstd.*side});
            };
            forward(&Pair::device), forward(&Pair::host);
            const double rounding = roundingOf(types.values);
            rows.compare("x", 2 * rounding, rounding);
            raw.compare("raw", 0, 1e-12);
            rstd.compare("rstd", 1e-4, 1e-6);

            Pair gradient(uniform({c.rows, c.before + width + c.after}), types.values),
                dw(uniform({c.headWidth}), types.gradients), statistic(rstd.host, at::kFloat);
            const at::Tensor scratch = at::zeros({at::get_num_threads() * c.headWidth}, float64());
            const auto backward = [&](at::Tensor Pair::*side) {
                rotaryBackward({.gradient = heads(gradient.*side),
                                .positions = positions.*side,
                                .table = table.*side,
                                .headWidth = c.headWidth,
                                .normWeight = c.norm ? weight.*side : at::Tensor{},
                                .raw = raw.*side,
                                .rstd = statistic.*side,
                                .normWeightGradient = dw.*side,
                                .scratch = side == &Pair::host ? scratch : at::Tensor{}});
            };
            backward(&Pair::device), backward(&Pair::host);
            gradient.compare("gradient", 2 * rounding, 2 * rounding);
            dw.compare("gradient of QK-norm", std::max(1e-3, 2 * roundingOf(types.gradients)),
                       1e-4 * static_cast<double>(c.rows * c.heads));
        }
}

}  // namespace
}  // namespace unmask::gpu
