// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp8_quantise/fp8_activation.h"

#include "kernels/common/activation_values.cuh"
#include "kernels/fp8_quantise/quantise_tile.cuh"

namespace unmask::kernels {

namespace {

// The other passes store such values in between.
template <class T>
__device__ inline void roundTo(float (&x)[kPack]) {
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
        T stored;
        assign(stored, x[j]);
        x[j] = toFloat(stored);
    }
}

template <class T, bool Gated>
struct Product {
    static constexpr int kParts = 1;
    const T* inner;
    int F;

    __device__ void read(int64_t row, int column, float (&values)[kParts][kPack]) const {
        const T* at = inner + row * F * (Gated ? 2 : 1) + column;
        float x[kPack], up[kPack];
        load(at, x);
        if constexpr (Gated)
            load(at + F, up);
        activationValues<Gated>(x, up, values[0]);
        roundTo<T>(values[0]);
    }
};

template <class T, bool Gated>
struct InnerGradient {
    static constexpr int kParts = Gated ? 2 : 1;
    const T* inner;
    const T* gradientProduct;
    int F;

    __device__ void read(int64_t row, int column, float (&values)[kParts][kPack]) const {
        const T* at = inner + row * F * kParts + column;
        float gradient[kPack], up[kPack], product[kPack];
        load(gradientProduct + row * F + column, gradient);
        load(at, values[0]);
        if constexpr (Gated)
            load(at + F, up);
        activationGradients<Gated>(gradient, values[0], up, product);
        roundTo<T>(values[0]);
        if constexpr (Gated) {
            roundTo<T>(up);
#pragma unroll
            for (int j = 0; j < kPack; ++j)
                values[1][j] = up[j];
        }
    }
};

fp8::Target targetOf(const Fp8ActivationArgs& a) {
    return {.row = a.row, .transposed = a.transposed, .scale = a.scale, .rows = a.rows, .width = a.F};
}

const char* refuse(const Fp8ActivationArgs& a) {
    if (!aligned16(a.inner) || !aligned16(a.gradientProduct))
        return "fp8: rows must be aligned to 16 bytes";
    return fp8::refuse(targetOf(a));
}

template <bool Gated>
Status forward(const Fp8ActivationArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    return withType(a.dtype, [&]<class T>(T*) {
        const Product<T, Gated> product{static_cast<const T*>(a.inner), a.F};
        return fp8::quantise<Fp8Format::e4m3>(targetOf(a), product, stream);
    });
}

template <bool Gated>
Status backward(const Fp8ActivationArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.gradientProduct == nullptr)
        return {"fp8: a gradient is needed"};
    return withType(a.dtype, [&]<class T>(T*) {
        const InnerGradient<T, Gated> gradient{static_cast<const T*>(a.inner), static_cast<const T*>(a.gradientProduct),
                                               a.F};
        return fp8::quantise<Fp8Format::e4m3>(targetOf(a), gradient, stream);
    });
}

}  // namespace

Status fp8SwigluForward(const Fp8ActivationArgs& args, Stream stream) {
    return forward<true>(args, stream);
}
Status fp8GeluForward(const Fp8ActivationArgs& args, Stream stream) {
    return forward<false>(args, stream);
}
Status fp8SwigluBackward(const Fp8ActivationArgs& args, Stream stream) {
    return backward<true>(args, stream);
}
Status fp8GeluBackward(const Fp8ActivationArgs& args, Stream stream) {
    return backward<false>(args, stream);
}

}  // namespace unmask::kernels
