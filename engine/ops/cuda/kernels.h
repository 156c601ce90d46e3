// SPDX-License-Identifier: Apache-2.0
// The GPU implementations behind the ops; shapes have been checked by the caller. Work is queued on the current stream
// and nothing waits for it, so all of it can be captured into a CUDA graph once every shape has run before. Values are
// float, bfloat16 or half, statistics and log-sum-exps float, row indices int32. A build without a GPU half links
// absent.cpp.
#pragma once

#include "engine/ops/activation.h"
#include "engine/ops/attention.h"
#include "engine/ops/device_update.h"
#include "engine/ops/embedding.h"
#include "engine/ops/fp8.h"
#include "engine/ops/masked_cross_entropy.h"
#include "engine/ops/norm.h"
#include "engine/ops/rotary.h"

namespace unmask::cuda {

void normForward(const NormArgs& args);
void normBackward(const NormBackwardArgs& args);
void rotaryTable(const at::Tensor& table, double base);
void rotaryForward(const RotaryArgs& args);
void rotaryBackward(const RotaryBackwardArgs& args);
void swigluForward(const at::Tensor& inner, const at::Tensor& product);
void swigluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product);
void geluForward(const at::Tensor& inner, const at::Tensor& product);
void geluBackward(const at::Tensor& gradientProduct, const at::Tensor& inner, const at::Tensor& product);
void attentionForward(const AttentionArgs& args);
void attentionBackward(const AttentionBackwardArgs& args);
void embeddingForward(const at::Tensor& tokens, const at::Tensor& weight, const at::Tensor& out);
void embeddingBackward(const at::Tensor& tokens, const at::Tensor& gradient, const at::Tensor& weightGradient);
void gatherRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
void scatterAddRows(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& out);
void linearForward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& y);
void linearBackwardInput(const at::Tensor& gradientY, const at::Tensor& weight, const at::Tensor& gradientX);
void linearBackwardWeight(const at::Tensor& gradientY, const at::Tensor& x, const at::Tensor& weightGradient,
                          const at::Tensor& biasGradient);
void linearBackwardBias(const at::Tensor& gradientY, const at::Tensor& biasGradient);
void quantiseFp8(const at::Tensor& x, const Fp8Copies& out, Fp8Range range);
void quantiseProductFp8(ActivationKind kind, const at::Tensor& inner, const Fp8Copies& out);
void quantiseInnerGradientFp8(ActivationKind kind, const at::Tensor& gradientProduct, const at::Tensor& inner,
                              const Fp8Copies& out);
void rollFp8Scales(const at::Tensor& scales);
void fp8Product(const Fp8Product& product);
void maskedCrossEntropy(const MaskedCrossEntropyArgs& args);
void headLogits(const at::Tensor& hidden, const at::Tensor& weight, const VocabularyLimit& vocabulary,
                const at::Tensor& out);
void deviceUpdate(const std::vector<Slab>& slabs, const DeviceUpdateArgs& args);
void zeroGradients(const std::vector<Slab>& slabs);
void recordStep(const StepRecordArgs& args);
void closeStep(const at::Tensor& scalars, const at::Tensor& sums, const at::Tensor& ring, const at::Tensor& counter);
int64_t deviceScalarBytes();
int64_t gradientScaleOffset();
int64_t deviceNormPartials();

}  // namespace unmask::cuda
