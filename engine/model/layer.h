// SPDX-License-Identifier: Apache-2.0
// What a layer is: forward and backward written out, over memory that it does not own. The residual stream travels as
// x + delta, so that the next norm adds the two in the pass that it makes anyway.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <optional>

#include "engine/ops/fp8.h"
#include "engine/ops/tensor_group.h"
#include "engine/planner/layer_memory.h"

namespace unmask {

enum class BackwardPart { both, input, weight };
inline bool wantsInput(BackwardPart part) {
    return part != BackwardPart::weight;
}
inline bool wantsWeight(BackwardPart part) {
    return part != BackwardPart::input;
}

// One tensor for each entry of a buffer enum, cut to the size of the micro-batch; unneeded ones are undefined.
template <class E>
class BufferSet {
 public:
    at::Tensor& operator[](E which) { return m_tensors[static_cast<size_t>(which)]; }
    const at::Tensor& operator[](E which) const { return m_tensors[static_cast<size_t>(which)]; }

 private:
    std::array<at::Tensor, static_cast<size_t>(E::count)> m_tensors;
};
using SavedBuffers = BufferSet<BlockBuffer>;
using WorkBuffers = BufferSet<WorkBuffer>;

struct Stream {
    at::Tensor x;      // (rows, C)
    at::Tensor delta;  // (rows, C), still to be added; undefined when there is nothing
};

// The micro-batch as layers see it. N tokens, R scored rows.
struct StepContext {
    WorkBuffers work;
    at::Tensor scoredRows;                 // (R) int64
    at::Tensor bounds;                     // (segments, 4) int32, all tokens are queries
    at::Tensor scoredBounds;               // (segments, 4) int32, scored rows are queries
    int64_t longest = 0;                   // tokens of the longest segment, at most
    bool dense = false;                    // all segments have this length, one behind the other
    int64_t attentionScratchElements = 0;  // of one thread
    // Norm outputs and the activation's product were not kept: the backward pass, which has all it takes at hand, makes
    // them once more, bit-equal. Part `both` only.
    bool restoring = false;
    // Of the step's batch, this micro-batch: terms of the loss that are no sum over tokens weigh so much.
    double share = 1;
    // Products of the blocks run in 8 bits, with these ranges; none: in the storage type.
    std::optional<Fp8Range> fp8;

    // Devices that hold a slice of each layer's weights; null on a device that has them whole.
    TensorGroup* sharers = nullptr;

    // Of a sum over slices, what this device has computed becomes all of it.
    void complete(const at::Tensor& partial) const {
        if (sharers)
            sharers->sum(partial);
    }
    // A buffer's beginning as a matrix of its own.
    at::Tensor matrixIn(WorkBuffer which, int64_t rows, int64_t columns) const {
        return work[which].flatten().narrow(0, 0, rows * columns).view({rows, columns});
    }
    // The first `rows` rows of a work buffer.
    at::Tensor rowsOf(WorkBuffer which, int64_t rows) const { return work[which].narrow(0, 0, rows); }
};

class Layer {
 public:
    virtual ~Layer() = default;

    // Fills `saved` and returns the stream after the layer, its delta in work[delta].
    virtual Stream forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const = 0;
    // gradient: of the stream after the layer. Returns that of the stream before it, usually in the same memory;
    // gradients of parameters are added to their slabs. The input part must run before the weight part, and norms and
    // biases of the layer go with it.
    virtual at::Tensor backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                                BackwardPart part) const = 0;
};

// A layer whose last product a recomputed block does not need.
class RecomputedLayer : public Layer {
 public:
    // Fills `saved` as forward does, without the result; bit-equal.
    virtual void recompute(const Stream& in, SavedBuffers& saved, const StepContext& context) const = 0;
};

}  // namespace unmask
