// SPDX-License-Identifier: Apache-2.0
// The nonlinearity of the feed-forward part. SwiGLU: product = silu(gate) * up with inner = gate ‖ up. GELU: tanh form.
// The backward pass writes the gradient over inner and, where asked, the product once more, so that it need not be
// kept. Budget in bf16: SwiGLU 6 F forward, 10 F backward; GELU 4 F and 6 F bytes a row.
#pragma once

#include <cstdint>

#include "kernels/common/types.h"

namespace unmask::kernels {

struct ActivationArgs {
    const void* inner;  // (rows, 2F) for SwiGLU, (rows, F) for GELU
    void* product;      // (rows, F)
    int64_t rows;
    int F;  // multiple of 8
    DType dtype;
};
Status swigluForward(const ActivationArgs& args, Stream stream);
Status geluForward(const ActivationArgs& args, Stream stream);
Status swigluForwardReference(const ActivationArgs& args);
Status geluForwardReference(const ActivationArgs& args);

struct ActivationBackwardArgs {
    const void* gradientProduct;  // (rows, F)
    void* inner;                  // in: as forward; out: its gradient
    void* product;                // out: the product once more, or null
    int64_t rows;
    int F;
    DType dtype;
};
Status swigluBackward(const ActivationBackwardArgs& args, Stream stream);
Status geluBackward(const ActivationBackwardArgs& args, Stream stream);
Status swigluBackwardReference(const ActivationBackwardArgs& args);
Status geluBackwardReference(const ActivationBackwardArgs& args);

}  // namespace unmask::kernels
