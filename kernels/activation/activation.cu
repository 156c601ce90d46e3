// SPDX-License-Identifier: Apache-2.0
#include <type_traits>

#include "kernels/activation/activation.h"
#include "kernels/common/activation_values.cuh"

namespace unmask::kernels {
namespace {

constexpr int kThreads = 256;

template <class T, bool Gated>
__global__ void forwardKernel(ActivationArgs a) {
    const int64_t packs = a.F / kPack;
    const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.rows * packs)
        return;
    const int64_t row = index / packs, column = index % packs * kPack;
    const T* inner = static_cast<const T*>(a.inner) + row * a.F * (Gated ? 2 : 1) + column;
    float x[kPack], up[kPack], out[kPack];
    load(inner, x);
    if constexpr (Gated)
        load(inner + a.F, up);
    activationValues<Gated>(x, up, out);
    store(static_cast<T*>(a.product) + row * a.F + column, out);
}

template <class T, bool Gated>
__global__ void backwardKernel(ActivationBackwardArgs a) {
    const int64_t packs = a.F / kPack;
    const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (index >= a.rows * packs)
        return;
    const int64_t row = index / packs, column = index % packs * kPack;
    T* inner = static_cast<T*>(a.inner) + row * a.F * (Gated ? 2 : 1) + column;
    float g[kPack], x[kPack], up[kPack], product[kPack];
    load(static_cast<const T*>(a.gradientProduct) + row * a.F + column, g);
    load(inner, x);
    if constexpr (Gated)
        load(inner + a.F, up);
    activationGradients<Gated>(g, x, up, product);
    store(inner, x);
    if constexpr (Gated)
        store(inner + a.F, up);
    if (a.product != nullptr)
        store(static_cast<T*>(a.product) + row * a.F + column, product);
}

template <class Args>
const char* refuse(const Args& a) {
    return a.rows < 0 || a.F <= 0 || a.F % kPack != 0 ? "activation: F must be a positive multiple of 8" : nullptr;
}

template <bool Gated>
Status forward(const ActivationArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t blocks = (a.rows * (a.F / kPack) + kThreads - 1) / kThreads;
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        forwardKernel<T, Gated><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a);
        return launched();
    });
}

template <bool Gated>
Status backward(const ActivationBackwardArgs& a, Stream stream) {
    if (const char* reason = refuse(a))
        return {reason};
    if (a.rows == 0)
        return {};
    const int64_t blocks = (a.rows * (a.F / kPack) + kThreads - 1) / kThreads;
    return withType(a.dtype, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        backwardKernel<T, Gated><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a);
        return launched();
    });
}

}  // namespace

Status swigluForward(const ActivationArgs& args, Stream stream) {
    return forward<true>(args, stream);
}
Status geluForward(const ActivationArgs& args, Stream stream) {
    return forward<false>(args, stream);
}
Status swigluBackward(const ActivationBackwardArgs& args, Stream stream) {
    return backward<true>(args, stream);
}
Status geluBackward(const ActivationBackwardArgs& args, Stream stream) {
    return backward<false>(args, stream);
}

}  // namespace unmask::kernels
