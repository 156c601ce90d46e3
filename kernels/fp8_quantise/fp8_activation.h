// SPDX-License-Identifier: Apache-2.0
// The activation straight to 8-bit codes: what activation and fp8Quantise (e4m3) give one after the other, code for
// code, while its 16-bit values never touch memory. Budget from bf16: SwiGLU 6 F forward, 10 F backward, GELU 4 F and
// 6 F bytes a row, where the two passes take 10, 18, 8 and 10.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"
#include "kernels/fp8_quantise/fp8_quantise.h"

namespace unmask::kernels {

struct Fp8ActivationArgs {
    const void* inner;            // (rows, 2F) for SwiGLU: gate ‖ up; (rows, F) for GELU
    const void* gradientProduct;  // (rows, F); backward only
    uint8_t* row;                 // out: codes of the product, or of inner's gradient, as they lie; or null
    uint8_t* transposed;          // out, or null
    Fp8Scale* scale;              // range by `amax`, as in fp8Quantise
    int64_t rows;                 // multiple of 16
    int F;                        // multiple of 16
    DType dtype;                  // of inner and gradientProduct
};
Status fp8SwigluForward(const Fp8ActivationArgs& args, Stream stream);
Status fp8GeluForward(const Fp8ActivationArgs& args, Stream stream);
Status fp8SwigluBackward(const Fp8ActivationArgs& args, Stream stream);
Status fp8GeluBackward(const Fp8ActivationArgs& args, Stream stream);
Status fp8SwigluForwardReference(const Fp8ActivationArgs& args);
Status fp8GeluForwardReference(const Fp8ActivationArgs& args);
Status fp8SwigluBackwardReference(const Fp8ActivationArgs& args);
Status fp8GeluBackwardReference(const Fp8ActivationArgs& args);

}  // namespace unmask::kernels
