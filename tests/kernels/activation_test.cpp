// SPDX-License-Identifier: Apache-2.0
#include "kernels/activation/activation.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

TEST(Activation, ForwardAndBackwardMatchTheReference) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes)
        for (const bool gated : {true, false})
            for (const auto& [rows, F] : {std::pair{1, 8}, {3, 320}, {129, 1408}, {65, 2816}}) {
                SCOPED_TRACE(nameOf(type) + (gated ? " swiglu " : " gelu ") + std::to_string(rows) + "×" +
                             std::to_string(F));
                Values inner(int64_t{rows} * F * (gated ? 2 : 1), type, 1, 4), product(int64_t{rows} * F, type, 2);
                const ActivationArgs device{inner.device(), product.device(), rows, F, type},
                    host{inner.host(), product.host(), rows, F, type};
                succeeded(gated ? swigluForward(device, nullptr) : geluForward(device, nullptr));
                ASSERT_TRUE((gated ? swigluForwardReference(host) : geluForwardReference(host)).ok());
                product.compare("product", roundingOf(type), 1e-5);

                Values gradient(int64_t{rows} * F, type, 3);
                const ActivationBackwardArgs deviceBack{
                    gradient.device(), inner.device(), product.device(), rows, F, type};
                const ActivationBackwardArgs hostBack{gradient.host(), inner.host(), product.host(), rows, F, type};
                succeeded(gated ? swigluBackward(deviceBack, nullptr) : geluBackward(deviceBack, nullptr));
                ASSERT_TRUE((gated ? swigluBackwardReference(hostBack) : geluBackwardReference(hostBack)).ok());
                inner.compare("gradient", roundingOf(type), 1e-4);
                product.compare("product once more", roundingOf(type), 1e-5);
            }
}
