// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/chain_walk.h"

namespace unmask {

Stream ChainWalk::forward() {
    Stream stream{blocks.front()[BlockBuffer::input], {}};
    if (traffic)
        traffic->beforeForward(0);
    model.embedding().forward(tokens, stream.x, context.sharers);
    for (size_t layer = 0; layer < blocks.size(); ++layer) {
        if (traffic)
            traffic->beforeForward(layer + 1);
        stream = model.blocks()[layer]->forward(stream, blocks[layer], context);
    }
    if (traffic)
        traffic->beforeForward(headSlab());
    return stream;
}

void ChainWalk::backward(at::Tensor gradient) {
    for (size_t layer = blocks.size(); layer-- > 0;) {
        if (traffic)
            traffic->beforeBackward(layer + 1);
        const Block& block = *model.blocks()[layer];
        const bool present = layer + 1 == blocks.size();  // its shared buffers still hold what forward left
        if (policy == BlockPolicy::recompute && !present)
            block.recompute(blocks[layer], context);
        context.restoring = policy == BlockPolicy::recomputeCheap && !present;
        gradient = block.backward(gradient, blocks[layer], context, BackwardPart::both);
        if (traffic)
            traffic->afterBackward(layer + 1);
    }
    model.embedding().backward(tokens, gradient, context.sharers);
    if (traffic)
        traffic->afterBackward(0);
}

void ChainWalk::headLeft() const {
    if (traffic)
        traffic->afterBackward(headSlab());
}

void ChainWalk::passBy(Pass pass) {
    if (!traffic)
        return;
    for (size_t slab = 0; slab <= headSlab(); ++slab)
        traffic->beforeForward(slab);
    if (pass == Pass::forward)
        return;
    headLeft();
    for (size_t slab = headSlab(); slab-- > 1;) {
        traffic->beforeBackward(slab);
        traffic->afterBackward(slab);
    }
    traffic->afterBackward(0);
}

}  // namespace unmask
