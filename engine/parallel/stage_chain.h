// SPDX-License-Identifier: Apache-2.0
// The stages of one pipeline over a group: rank in the group = stage. A tied head shares its matrix with the embedding
// at the other end: both ends hold it, and their gradients are summed before an update, so that they stay equal.
#pragma once

#include <cstdint>
#include <list>

#include "engine/ops/stage_links.h"
#include "engine/parallel/communicator.h"

namespace unmask {

class StageChain final : public StageLinks {
 public:
    // ends: of the first and the last stage, on these two.
    StageChain(Communicator& group, Communicator& ends) : m_group(group), m_ends(ends) {}

    void send(const at::Tensor& values, int64_t toStage, int64_t tag) override;
    void receive(const at::Tensor& values, int64_t fromStage, int64_t tag) override;
    void finishSends() override;
    void shareLast(const at::Tensor& values) override { m_group.broadcast(values, m_group.size() - 1); }
    Communicator& group() { return m_group; }
    bool isFirst() const { return m_group.rank() == 0; }

    // The gradient of what both ends hold; on them alone.
    void watchTied(const at::Tensor& gradient) { m_tied = gradient; }
    void settleTied();
    // Of settled gradients, what the first stage counts already: a norm has every parameter once.
    double squaresCountedElsewhere() const;

 private:
    struct UnderWay {
        at::Tensor values;
        TransferPtr transfer;
    };
    Communicator& m_group;
    Communicator& m_ends;
    at::Tensor m_tied;
    std::list<UnderWay> m_sends;
};

}  // namespace unmask
