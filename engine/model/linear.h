// SPDX-License-Identifier: Apache-2.0
// y = x · weightᵀ + bias over slices of a slab, in the storage type, or in fp8 where the step says so. Devices may
// share the weight, after Megatron-LM (Shoeybi et al. 2019).
#pragma once

#include "engine/model/layer.h"
#include "engine/model/parameters.h"

namespace unmask {

struct LinearInput {
    at::Tensor x;  // (N, I)
    at::Tensor
        transposed;  // flat uint8 (I · N): forward leaves the 8-bit copy here that the weight gradient reads; fp8
};

// The gradient of a result as both backward products read it. The 8-bit copies stand in buffers that all products
// share, so the products of one gradient come before the next gradient is made.
struct ResultGradient {
    at::Tensor y;  // (N, O); of codes that a producer made, only its shape counts
    at::Tensor row, transposed;
};

// What a device holds of a shared weight. column: some outputs; y is this device's own, and the gradient of x is
// partial until the layer completes it, since several products may add to it first. row: some inputs; forward returns
// the sum over the devices, and the bias is added by the first.
enum class Sharding { column, row };

class Linear {
 public:
    Linear() = default;
    // Several names: their matrices stand on top of each other and are multiplied as one.
    Linear(const SlabBinding& slab, const std::vector<std::string>& names, Sharding sharding = Sharding::column);

    void forward(const LinearInput& in, const at::Tensor& y, const StepContext& context) const;
    // For producers that make codes themselves: where those of x go, and the product by what they left there.
    Fp8Copies inputCopies(int64_t rows, const at::Tensor& transposed, const StepContext& context) const;
    void forwardCodes(const Fp8Copies& x, const at::Tensor& y, const StepContext& context) const;
    // What forward leaves for the weight gradient, without the product.
    void keepInput(const LinearInput& in, const StepContext& context) const;
    ResultGradient resultGradient(const at::Tensor& gradientY, const StepContext& context) const;
    // The same for the gradient of y; nothing may want its 16-bit values then (hasBias).
    Fp8Copies gradientCopies(int64_t rows, const StepContext& context) const;
    bool hasBias() const { return m_bias.value.defined(); }
    void backwardInput(const ResultGradient& gradient, const at::Tensor& gradientX, const StepContext& context) const;
    enum class Copy { fromForward, again };  // `again`: the copy was not kept, and is made from x once more
    void backwardWeight(const ResultGradient& gradient, const LinearInput& in, const StepContext& context,
                        Copy copy = Copy::fromForward) const;

 private:
    at::Tensor weightCodes(const StepContext& context, int64_t rows, int64_t columns) const;

    Weight m_weight;
    Weight m_bias;
    Sharding m_sharding = Sharding::column;
    at::Tensor m_inputScale, m_weightScale, m_gradientScale;  // undefined in a model that knows no fp8
};

}  // namespace unmask
