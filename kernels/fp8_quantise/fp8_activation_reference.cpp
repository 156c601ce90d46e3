// SPDX-License-Identifier: Apache-2.0
// One pass after the other: values as the activation would store them, then their codes.
#include <vector>

#include "kernels/common/host_activation.h"
#include "kernels/common/host_values.h"
#include "kernels/fp8_quantise/fp8_activation.h"

namespace unmask::kernels {

namespace {

class Stored {
 public:
    Stored(const Fp8ActivationArgs& args, int columns)
        : m_args(args), m_columns(columns), m_bytes(static_cast<size_t>(args.rows * columns) * bytesOf(args.dtype)) {}
    void set(int64_t row, int column, double value) {
        setValue(m_bytes.data(), row * m_columns + column, m_args.dtype, value);
    }
    Status quantise() const {
        return fp8QuantiseReference({.x = m_bytes.data(),
                                     .row = m_args.row,
                                     .transposed = m_args.transposed,
                                     .scale = m_args.scale,
                                     .rows = m_args.rows,
                                     .stride = m_columns,
                                     .columns = m_columns,
                                     .format = Fp8Format::e4m3,
                                     .dtype = m_args.dtype});
    }

 private:
    const Fp8ActivationArgs& m_args;
    int m_columns;
    std::vector<char> m_bytes;
};

template <class Visit>
void eachProduct(const Fp8ActivationArgs& a, Visit visit) {
    for (int64_t row = 0; row < a.rows; ++row)
        for (int column = 0; column < a.F; ++column)
            visit(row, column);
}

double innerAt(const Fp8ActivationArgs& a, int64_t row, int column, int parts) {
    return valueAt(a.inner, row * parts * a.F + column, a.dtype);
}
double gradientAt(const Fp8ActivationArgs& a, int64_t row, int column) {
    return valueAt(a.gradientProduct, row * a.F + column, a.dtype);
}

}  // namespace

Status fp8SwigluForwardReference(const Fp8ActivationArgs& a) {
    Stored product(a, a.F);
    eachProduct(a, [&](int64_t row, int column) {
        product.set(row, column, host::swiglu(innerAt(a, row, column, 2), innerAt(a, row, a.F + column, 2)));
    });
    return product.quantise();
}

Status fp8GeluForwardReference(const Fp8ActivationArgs& a) {
    Stored product(a, a.F);
    eachProduct(a, [&](int64_t row, int column) { product.set(row, column, host::gelu(innerAt(a, row, column, 1))); });
    return product.quantise();
}

Status fp8SwigluBackwardReference(const Fp8ActivationArgs& a) {
    Stored inner(a, 2 * a.F);
    eachProduct(a, [&](int64_t row, int column) {
        const auto gradient = host::swigluGradient(gradientAt(a, row, column), innerAt(a, row, column, 2),
                                                   innerAt(a, row, a.F + column, 2));
        inner.set(row, column, gradient.gate);
        inner.set(row, a.F + column, gradient.up);
    });
    return inner.quantise();
}

Status fp8GeluBackwardReference(const Fp8ActivationArgs& a) {
    Stored inner(a, a.F);
    eachProduct(a, [&](int64_t row, int column) {
        inner.set(row, column, host::geluGradient(gradientAt(a, row, column), innerAt(a, row, column, 1)));
    });
    return inner.quantise();
}

}  // namespace unmask::kernels
