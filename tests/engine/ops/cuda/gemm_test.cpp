// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/gemm.h"

#include <ATen/ops/matmul.h>

#include "engine/ops/device_options.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuGemm : public GpuTest {};

// All orientations, strided rows, sums that exist already; the second call takes the algorithm that the first found.
TEST_F(GpuGemm, MatchesFloat64InEveryOrientation) {
    constexpr int64_t m = 136, n = 72, k = 264, margin = 24;
    for (const Types& types : mixtures())
        for (const bool transposeA : {false, true})
            for (const bool transposeB : {false, true})
                for (const bool accumulate : {false, true}) {
                    SCOPED_TRACE(std::string(at::toString(types.values)) + (transposeA ? "T" : "N") +
                                 (transposeB ? "T" : "N") + (accumulate ? "+" : "="));
                    Pair a(transposeA ? uniform({k, m + margin}) : uniform({m, k + margin}), types.values);
                    Pair b(transposeB ? uniform({n, k}) : uniform({k, n}), types.values);
                    Pair c(uniform({m, n}), types.gradients);
                    const auto inner = [&](const at::Tensor& wide) { return wide.narrow(1, 8, transposeA ? m : k); };
                    const at::Tensor before = c.host.clone();
                    for (int time = 0; time < 2; ++time)
                        cuda::gemm({.a = inner(a.device),
                                    .b = b.device,
                                    .c = c.device,
                                    .transposeA = transposeA,
                                    .transposeB = transposeB,
                                    .accumulate = accumulate});
                    const at::Tensor left = transposeA ? inner(a.host).t() : inner(a.host);
                    const at::Tensor product = at::matmul(left, transposeB ? b.host.t() : b.host);
                    c.host = accumulate ? before + product * 2 : product;
                    const double rounding = types.gradients == at::kFloat ? 1e-4 : 2e-2;
                    c.compare("product", rounding, 10 * rounding);
                }
}

// One shape at addresses of less and less alignment; what was found for one is not taken for the other.
TEST_F(GpuGemm, TakesAddressesOfAnyAlignment) {
    constexpr int64_t m = 64, n = 64, k = 128;
    Pair a(uniform({m * k + 128}), at::kBFloat16), b(uniform({n * k + 128}), at::kBFloat16);
    for (const bool deterministic : {false, true}) {
        deviceOptions().deterministic = deterministic;
        for (const int64_t shift : {0, 64, 8, 4, 1}) {
            SCOPED_TRACE(shift);
            const auto from = [&](const at::Tensor& flat, int64_t rows) {
                return flat.narrow(0, shift, rows * k).view({rows, k});
            };
            Pair c(uniform({m, n}), at::kBFloat16);
            cuda::gemm({.a = from(a.device, m), .b = from(b.device, n), .c = c.device, .transposeB = true});
            c.host = at::matmul(from(a.host, m), from(b.host, n).t());
            c.compare("product", 2e-2, 0.2);
        }
    }
    deviceOptions().deterministic = false;
}

TEST_F(GpuGemm, BiasIsAddedToEachRow) {
    Pair a(uniform({40, 64}), at::kBFloat16), b(uniform({96, 64}), at::kBFloat16), bias(uniform({96}), at::kBFloat16),
        c(uniform({40, 96}), at::kBFloat16);
    cuda::gemm({.a = a.device, .b = b.device, .c = c.device, .transposeB = true, .bias = bias.device});
    c.host = at::matmul(a.host, b.host.t()) + bias.host;
    c.compare("biased product", 2e-2, 5e-2);
}

}  // namespace
}  // namespace unmask::gpu
