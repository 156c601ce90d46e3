// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/activation.h"

#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuActivation : public GpuTest {};

using Forward = void (*)(const at::Tensor&, const at::Tensor&);
using Backward = void (*)(const at::Tensor&, const at::Tensor&, const at::Tensor&);

void checkActivation(Forward forward, Backward backward, int64_t parts) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
        for (const auto& [rows, width] : {std::pair<int64_t, int64_t>{1, 8}, {131, 104}, {517, 1408}}) {
            SCOPED_TRACE(std::string(at::toString(type)) + " width " + std::to_string(width));
            const double rounding = roundingOf(type);
            Pair inner(uniform({rows, parts * width}, 4), type), product(uniform({rows, width}), type);
            forward(inner.device, product.device), forward(inner.host, product.host);
            inner.compare("inner", 0, 1e-12);
            product.compare("product", rounding, rounding);

            Pair gradient(uniform({rows, width}), type), again(uniform({rows, width}), type);
            for (const bool withProduct : {false, true}) {
                Pair both(inner.host, type);
                backward(gradient.device, both.device, withProduct ? again.device : at::Tensor{});
                backward(gradient.host, both.host, withProduct ? again.host : at::Tensor{});
                both.compare("gradient of inner", 2 * rounding, 2 * rounding);
                again.compare("product once more", rounding, rounding);
            }
        }
}

TEST_F(GpuActivation, SwigluMatchesTheCpu) {
    checkActivation(swigluForward, swigluBackward, 2);
}
TEST_F(GpuActivation, GeluMatchesTheCpu) {
    checkActivation(geluForward, geluBackward, 1);
}

}  // namespace
}  // namespace unmask::gpu
