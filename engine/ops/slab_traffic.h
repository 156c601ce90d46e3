// SPDX-License-Identifier: Apache-2.0
// What moves between devices while a walk goes along the chain. Slabs are numbered as in the model: the embedding, the
// blocks, the head. Every device makes the same calls in the same order. Null stands for a model that is all here.
#pragma once

#include <cstddef>

namespace unmask {

class SlabTraffic {
 public:
    virtual ~SlabTraffic() = default;
    virtual void beforeForward(size_t slab) = 0;   // its values are whole when this returns
    virtual void beforeBackward(size_t slab) = 0;  // values, too, and its gradients are ready to be added to
    virtual void afterBackward(size_t slab) = 0;   // its gradients of this micro-batch are complete
};

}  // namespace unmask
