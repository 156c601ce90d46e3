// SPDX-License-Identifier: Apache-2.0
// In place of the GPU half, in a build without one. No tensor can lie on a GPU there, so nobody should come here.
#include "engine/base/error.h"
#include "engine/ops/cuda/kernels.h"

namespace unmask::cuda {

namespace {

[[noreturn]] void refuse() {
    throw Error{ErrorCode::badInput, "[device] this build computes on the CPU only"};
}

}  // namespace

void normForward(const NormArgs&) {
    refuse();
}
void normBackward(const NormBackwardArgs&) {
    refuse();
}
void rotaryTable(const at::Tensor&, double) {
    refuse();
}
void rotaryForward(const RotaryArgs&) {
    refuse();
}
void rotaryBackward(const RotaryBackwardArgs&) {
    refuse();
}
void swigluForward(const at::Tensor&, const at::Tensor&) {
    refuse();
}
void swigluBackward(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void geluForward(const at::Tensor&, const at::Tensor&) {
    refuse();
}
void geluBackward(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void attentionForward(const AttentionArgs&) {
    refuse();
}
void attentionBackward(const AttentionBackwardArgs&) {
    refuse();
}
void embeddingForward(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void embeddingBackward(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void gatherRows(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void scatterAddRows(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void linearForward(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void linearBackwardInput(const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void linearBackwardWeight(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
void linearBackwardBias(const at::Tensor&, const at::Tensor&) {
    refuse();
}
void quantiseProductFp8(ActivationKind, const at::Tensor&, const Fp8Copies&) {
    refuse();
}
void quantiseInnerGradientFp8(ActivationKind, const at::Tensor&, const at::Tensor&, const Fp8Copies&) {
    refuse();
}
void quantiseFp8(const at::Tensor&, const Fp8Copies&, Fp8Range) {
    refuse();
}
void rollFp8Scales(const at::Tensor&) {
    refuse();
}
void fp8Product(const Fp8Product&) {
    refuse();
}
void maskedCrossEntropy(const MaskedCrossEntropyArgs&) {
    refuse();
}
void headLogits(const at::Tensor&, const at::Tensor&, const VocabularyLimit&, const at::Tensor&) {
    refuse();
}
void deviceUpdate(const std::vector<Slab>&, const DeviceUpdateArgs&) {
    refuse();
}
void zeroGradients(const std::vector<Slab>&) {
    refuse();
}
void recordStep(const StepRecordArgs&) {
    refuse();
}
void closeStep(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&) {
    refuse();
}
int64_t deviceScalarBytes() {
    refuse();
}
int64_t gradientScaleOffset() {
    refuse();
}
int64_t deviceNormPartials() {
    refuse();
}

}  // namespace unmask::cuda
