// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/chain_walk.h"

namespace unmask {

Stream ChainWalk::forward() {
    Stream stream{blocks.front()[BlockBuffer::input], {}};
    model.embedding().forward(tokens, stream.x);
    for (size_t layer = 0; layer < blocks.size(); ++layer)
        stream = model.blocks()[layer]->forward(stream, blocks[layer], context);
    return stream;
}

void ChainWalk::backward(at::Tensor gradient) {
    for (size_t layer = blocks.size(); layer-- > 0;) {
        const Block& block = *model.blocks()[layer];
        const bool present = layer + 1 == blocks.size();  // its shared buffers still hold what forward left
        if (policy == BlockPolicy::recompute && !present)
            block.recompute(blocks[layer], context);
        context.restoring = policy == BlockPolicy::recomputeCheap && !present;
        gradient = block.backward(gradient, blocks[layer], context, BackwardPart::both);
    }
    model.embedding().backward(tokens, gradient);
}

}  // namespace unmask
