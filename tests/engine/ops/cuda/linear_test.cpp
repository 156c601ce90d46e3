// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/linear.h"

#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>

#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuLinear : public GpuTest {};

TEST_F(GpuLinear, MatchesTheCpuWithAndWithoutBias) {
    struct Case {
        int64_t rows, in, out;
    };
    for (const Types& types : mixtures())
        for (const Case& c : {Case{1, 16, 8}, Case{300, 96, 200}, Case{1024, 256, 768}}) {
            SCOPED_TRACE(std::string(at::toString(types.values)) + " " + std::to_string(c.rows));
            Pair x(uniform({c.rows, c.in}), types.values), weight(uniform({c.out, c.in}), types.values),
                bias(uniform({c.out}), types.values), y(uniform({c.rows, c.out}), types.values);
            Pair dy(uniform({c.rows, c.out}), types.values), dx(uniform({c.rows, c.in}), types.values),
                dw(uniform({c.out, c.in}), types.gradients), db(uniform({c.out}), types.gradients);
            const at::Tensor scratch = at::zeros({at::get_num_threads() * c.out}, float64());
            const auto all = [&](at::Tensor Pair::*side) {
                linearForward(x.*side, weight.*side, bias.*side, y.*side);
                linearBackwardInput(dy.*side, weight.*side, dx.*side);
                linearBackwardWeight(dy.*side, x.*side, dw.*side, db.*side, scratch);
            };
            all(&Pair::host), all(&Pair::device);
            const double rounding = types.values == at::kFloat ? 1e-4 : 2e-2;
            y.compare("y", rounding, 10 * rounding);
            dx.compare("gradient of x", rounding, 10 * rounding);
            dw.compare("gradient of the weight", rounding, 20 * rounding);
            db.compare("gradient of the bias", rounding, 20 * rounding);
        }
}

}  // namespace
}  // namespace unmask::gpu
