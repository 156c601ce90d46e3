// SPDX-License-Identifier: Apache-2.0
// Devices that hold a slice of each layer's weights (tensor parallel): what the layers ask of each other, and what must
// hold between the slices at an update. All of them see the same batches.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/transformer.h"
#include "engine/parallel/communicator.h"

namespace unmask {

class LayerSharers final : public TensorGroup {
 public:
    explicit LayerSharers(Communicator& group) : m_group(group) {}

    int64_t parts() const override { return m_group.size(); }
    int64_t part() const override { return m_group.rank(); }
    void sum(const at::Tensor& partial) override { m_group.sum(partial); }
    void maximum(const at::Tensor& partial) override { m_group.maximum(partial); }
    Communicator& group() { return m_group; }

    // Parameters that every device holds: norms, and biases of what has been summed. `gradients`: of each slab of the
    // model, from its element `begins` on; both must outlive this object's use.
    void watch(const Transformer& model, const std::vector<at::Tensor>& gradients, const std::vector<int64_t>& begins);
    // Before an update. A gradient of which every device has seen its own heads' share becomes the sum, any other that
    // of the first device: equal by mathematics, so now to the bit, whatever threads or processors the others have.
    void settleRepeated();
    // Of settled gradients, what the first device counts already, 0 on that one: a norm has every parameter once.
    double squaresCountedElsewhere() const;

    // The parameter of the whole model from everybody's slices of it, in a new tensor on every device.
    at::Tensor whole(const ParameterSlice& slice, const at::Tensor& own) const;

 private:
    struct Repeated {
        at::Tensor gradient;  // flat view
        bool partial;
    };
    Communicator& m_group;
    std::vector<Repeated> m_repeated;
    at::Tensor m_settled;  // all of them, one behind the other
};

// The slice of a parameter of the whole model; a view.
at::Tensor sliceOf(const at::Tensor& whole, const ParameterSlice& slice, int64_t parts);

}  // namespace unmask
