// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/chain_walk.h"

namespace unmask {

Stream ChainWalk::forward() {
    Stream stream{blocks.front()[BlockBuffer::input], {}};
    if (traffic)
        traffic->beforeForward(0);
    model.embedding().forward(tokens, stream.x, context.sharers);
    stream = forwardBlocks(stream, 0, blocks.size());
    if (traffic)
        traffic->beforeForward(headSlab());
    return stream;
}

Stream ChainWalk::forwardBlocks(Stream stream, size_t first, size_t end) {
    for (size_t layer = first; layer < end; ++layer) {
        if (traffic)
            traffic->beforeForward(model.slabOfBlock(layer));
        stream = model.blocks()[layer]->forward(stream, blocks[layer], context);
    }
    return stream;
}

at::Tensor ChainWalk::backwardBlocks(at::Tensor gradient, size_t first, size_t end, BackwardPart part,
                                     bool stillThere) {
    for (size_t layer = end; layer-- > first;) {
        if (traffic)
            traffic->beforeBackward(model.slabOfBlock(layer));
        const Block& block = *model.blocks()[layer];
        const bool present = stillThere && layer + 1 == end;
        if (policy == BlockPolicy::recompute && !present)
            block.recompute(blocks[layer], context);
        context.restoring = policy == BlockPolicy::recomputeCheap && !present;
        if (part == BackwardPart::weight)  // what it reads instead was kept by the input part
            gradient = blocks[layer][BlockBuffer::feedForwardGradient];
        gradient = block.backward(gradient, blocks[layer], context, part);
        if (traffic)
            traffic->afterBackward(model.slabOfBlock(layer));
    }
    return gradient;
}

void ChainWalk::backward(at::Tensor gradient) {
    gradient = backwardBlocks(gradient, 0, blocks.size(), BackwardPart::both, true);
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
