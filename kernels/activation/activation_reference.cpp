// SPDX-License-Identifier: Apache-2.0
#include "kernels/activation/activation.h"
#include "kernels/common/host_activation.h"
#include "kernels/common/host_values.h"

namespace unmask::kernels {

Status swigluForwardReference(const ActivationArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.F; ++c) {
            const double gate = valueAt(a.inner, r * 2 * a.F + c, a.dtype);
            const double up = valueAt(a.inner, r * 2 * a.F + a.F + c, a.dtype);
            setValue(a.product, r * a.F + c, a.dtype, host::swiglu(gate, up));
        }
    return {};
}

Status geluForwardReference(const ActivationArgs& a) {
    for (int64_t i = 0; i < a.rows * a.F; ++i)
        setValue(a.product, i, a.dtype, host::gelu(valueAt(a.inner, i, a.dtype)));
    return {};
}

Status swigluBackwardReference(const ActivationBackwardArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.F; ++c) {
            const int64_t at = r * 2 * a.F + c;
            const double gate = valueAt(a.inner, at, a.dtype), up = valueAt(a.inner, at + a.F, a.dtype);
            const auto gradient = host::swigluGradient(valueAt(a.gradientProduct, r * a.F + c, a.dtype), gate, up);
            if (a.product != nullptr)
                setValue(a.product, r * a.F + c, a.dtype, host::swiglu(gate, up));
            setValue(a.inner, at, a.dtype, gradient.gate);
            setValue(a.inner, at + a.F, a.dtype, gradient.up);
        }
    return {};
}

Status geluBackwardReference(const ActivationBackwardArgs& a) {
    for (int64_t i = 0; i < a.rows * a.F; ++i) {
        const double x = valueAt(a.inner, i, a.dtype);
        if (a.product != nullptr)
            setValue(a.product, i, a.dtype, host::gelu(x));
        setValue(a.inner, i, a.dtype, host::geluGradient(valueAt(a.gradientProduct, i, a.dtype), x));
    }
    return {};
}

}  // namespace unmask::kernels
