// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/common/host_values.h"
#include "kernels/fp8_quantise/fp8_quantise.h"

namespace unmask::kernels {

namespace {

struct Form {
    int mantissaBits, bias;
    uint8_t largest, nan;  // codes without sign
};
// e4m3 has no infinities and one NaN, so that it reaches 448; e5m2 follows IEEE and reaches 57344.
Form formOf(Fp8Format format) {
    return format == Fp8Format::e4m3 ? Form{3, 7, 0x7E, 0x7F} : Form{2, 15, 0x7B, 0x7F};
}

double rangeOf(const Fp8Scale& scale) {
    return scale.amax > 0 ? double{kFp8Margin} * scale.amax : 1.0;
}

}  // namespace

double fp8Value(uint8_t code, Fp8Format format) {
    const Form form = formOf(format);
    const int magnitude = code & 0x7F;
    if (magnitude > form.largest)
        return format == Fp8Format::e5m2 && magnitude == 0x7C
                   ? std::copysign(std::numeric_limits<double>::infinity(), code & 0x80 ? -1 : 1)
                   : std::numeric_limits<double>::quiet_NaN();
    const int exponent = magnitude >> form.mantissaBits;
    const int mantissa = magnitude & ((1 << form.mantissaBits) - 1);
    const double fraction = std::ldexp(mantissa, -form.mantissaBits);
    const double value =
        exponent == 0 ? std::ldexp(fraction, 1 - form.bias) : std::ldexp(1 + fraction, exponent - form.bias);
    return (code & 0x80) != 0 ? -value : value;
}

uint8_t fp8Code(double value, Fp8Format format) {
    const Form form = formOf(format);
    const uint8_t sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value))
        return form.nan | sign;
    const double magnitude = std::fabs(value);
    uint8_t low = 0;
    for (uint8_t step = 64; step > 0; step /= 2)
        if (low + step <= form.largest && fp8Value(static_cast<uint8_t>(low + step), format) <= magnitude)
            low = static_cast<uint8_t>(low + step);
    if (low == form.largest)
        return low | sign;
    const double below = magnitude - fp8Value(low, format);
    const double above = fp8Value(static_cast<uint8_t>(low + 1), format) - magnitude;
    const bool up = above < below || (above == below && low % 2 == 1);
    return static_cast<uint8_t>(low + (up ? 1 : 0)) | sign;
}

Status fp8QuantiseReference(const Fp8QuantiseArgs& a) {
    const double largest = fp8Value(formOf(a.format).largest, a.format);
    const auto factor = static_cast<float>(largest / rangeOf(*a.scale));
    a.scale->dequantise = static_cast<float>(rangeOf(*a.scale) / largest);
    for (int64_t row = 0; row < a.rows; ++row)
        for (int column = 0; column < a.columns; ++column) {
            const auto value = static_cast<float>(valueAt(a.x, row * a.stride + column, a.dtype));
            if (std::isfinite(value))
                a.scale->seen = std::max(a.scale->seen, std::fabs(value));
            const float scaled = std::isfinite(value) ? value * factor : std::numeric_limits<float>::quiet_NaN();
            const uint8_t code = fp8Code(scaled, a.format);
            if (a.row != nullptr)
                a.row[row * a.columns + column] = code;
            if (a.transposed != nullptr)
                a.transposed[column * a.rows + row] = code;
        }
    return {};
}

Status fp8MeasureReference(const Fp8QuantiseArgs& a) {
    a.scale->amax = 0;
    for (int64_t row = 0; row < a.rows; ++row)
        for (int column = 0; column < a.columns; ++column) {
            const auto value = static_cast<float>(valueAt(a.x, row * a.stride + column, a.dtype));
            if (std::isfinite(value))
                a.scale->amax = std::max(a.scale->amax, std::fabs(value));
        }
    return {};
}

Status fp8RollReference(Fp8Scale* scales, int count) {
    for (Fp8Scale* scale = scales; scale != scales + count; ++scale) {
        if (scale->seen > 0)
            scale->amax = std::max(scale->seen, kFp8Memory * scale->amax);
        scale->seen = 0;
    }
    return {};
}

}  // namespace unmask::kernels
