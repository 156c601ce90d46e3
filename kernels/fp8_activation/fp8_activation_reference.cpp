// SPDX-License-Identifier: Apache-2.0
// One pass after the other, by their own references.
#include <vector>

#include "kernels/activation/activation.h"
#include "kernels/common/host_values.h"
#include "kernels/fp8_activation/fp8_activation.h"

namespace unmask::kernels {

namespace {

Status quantise(const Fp8ActivationArgs& a, const void* values, int columns) {
    return fp8QuantiseReference({.x = values,
                                 .row = a.row,
                                 .transposed = a.transposed,
                                 .scale = a.scale,
                                 .rows = a.rows,
                                 .stride = columns,
                                 .columns = columns,
                                 .format = Fp8Format::e4m3,
                                 .dtype = a.dtype});
}

Status forward(const Fp8ActivationArgs& a, Status (*activation)(const ActivationArgs&)) {
    std::vector<char> product(static_cast<size_t>(a.rows * a.F) * bytesOf(a.dtype));
    if (const Status status =
            activation({.inner = a.inner, .product = product.data(), .rows = a.rows, .F = a.F, .dtype = a.dtype});
        !status.ok())
        return status;
    return quantise(a, product.data(), a.F);
}

Status backward(const Fp8ActivationArgs& a, int parts, Status (*activation)(const ActivationBackwardArgs&)) {
    const auto* bytes = static_cast<const char*>(a.inner);
    std::vector<char> inner(bytes, bytes + static_cast<size_t>(a.rows * a.F * parts) * bytesOf(a.dtype));
    if (const Status status = activation({.gradientProduct = a.gradientProduct,
                                          .inner = inner.data(),
                                          .product = nullptr,
                                          .rows = a.rows,
                                          .F = a.F,
                                          .dtype = a.dtype});
        !status.ok())
        return status;
    return quantise(a, inner.data(), parts * a.F);
}

}  // namespace

Status fp8SwigluForwardReference(const Fp8ActivationArgs& args) {
    return forward(args, swigluForwardReference);
}
Status fp8GeluForwardReference(const Fp8ActivationArgs& args) {
    return forward(args, geluForwardReference);
}
Status fp8SwigluBackwardReference(const Fp8ActivationArgs& args) {
    return backward(args, 2, swigluBackwardReference);
}
Status fp8GeluBackwardReference(const Fp8ActivationArgs& args) {
    return backward(args, 1, geluBackwardReference);
}

}  // namespace unmask::kernels
