// SPDX-License-Identifier: Apache-2.0
// The nonlinearity of the feed-forward part: SwiGLU (Shazeer 2020) or GELU in its tanh form.
#pragma once

#include <ATen/core/Tensor.h>

namespace unmask {

// product (N, F) = silu(gate) · up, with inner (N, 2F) = gate ‖ up.
void swigluForward(const at::Tensor& inner, const at::Tensor& product);
// Overwrites inner with its gradient. `product`, where given, is written once more, so that it need not be kept; the
// GPU does so almost for nothing.
void swigluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product = {});

// product (N, F) = gelu(inner), inner (N, F).
void geluForward(const at::Tensor& inner, const at::Tensor& product);
void geluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product = {});

}  // namespace unmask
