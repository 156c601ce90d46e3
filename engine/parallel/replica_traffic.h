// SPDX-License-Identifier: Apache-2.0
// Copies of a model that compute a part of the batch each, and what they share (ZeRO: Rajbhandari et al. 2020).
//   stage 0: everybody has everything; gradients are summed while the backward pass goes on.
//   stage 1: each copy updates its part of every slab; the optimizer's state exists once.
//   stage 2: gradients of blocks, too, exist once: they are summed and cut up after each micro-batch.
//   stage 3: values of blocks, too: they are gathered before a block needs them, one block ahead.
// Embedding and head stay whole on every copy at all stages, since every micro-batch begins and ends there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/ops/slab.h"
#include "engine/ops/slab_traffic.h"
#include "engine/parallel/communicator.h"

namespace unmask {

class ReplicaTraffic final : public SlabTraffic {
 public:
    // slabs: of a model on the CPU whose slabMultiple is that of the group (see slabMultiple below), with
    // gradientWindows from stage 2 and valueWindows from stage 3 on. Both must outlive this object.
    ReplicaTraffic(Communicator& group, std::vector<Slab>& slabs, int64_t zeroStage);
    // Parts begin at whole cache lines.
    static int64_t slabMultiple(int64_t copies) { return 16 * copies; }

    // A step: begin; for each micro-batch nextMicroBatch and a walk; finish, after which `owned()` has the gradients of
    // the whole batch; after the update shareValues.
    void beginStep(int64_t microBatches);
    void nextMicroBatch() { ++m_microBatch; }
    void finish();
    void shareValues();

    void beforeForward(size_t slab) override;
    void beforeBackward(size_t slab) override;
    void afterBackward(size_t slab) override;

    // What this copy updates: its part of each slab, or at stage 0 the slabs.
    std::vector<Slab>& owned() { return m_stage == 0 ? m_slabs : m_owned; }
    // Puts the values that lie in the model's slab into this copy's keeping: after initialising, or reading a file.
    void keepValues(size_t slab);
    void setValues(size_t slab, const at::Tensor& whole);
    // Of one slab, in a new tensor on every copy: values, or a tensor like owned()'s such as moments.
    at::Tensor wholeValues(size_t slab);
    at::Tensor whole(size_t slab, const at::Tensor& part);
    // Of the slab, the first element that owned() has.
    int64_t ownedBegin(size_t slab) const {
        return m_stage == 0 ? 0 : m_slabs[slab].values.numel() / m_group.size() * m_group.rank();
    }
    // This copy's part of a tensor as long as the slab.
    at::Tensor partOf(const at::Tensor& whole) const;

    Communicator& group() { return m_group; }
    bool shares() const { return m_stage > 0; }         // the optimizer's state
    bool sharesValues() const { return m_stage == 3; }  // every walk needs all copies

 private:
    static constexpr size_t kWindows = 2;
    static constexpr size_t kNobody = ~size_t{0};
    struct Window {
        size_t values = kNobody;  // the block whose values are here, or on their way
        TransferPtr arriving;
        size_t gradients = kNobody;  // the block whose gradients are on their way from here
        TransferPtr leaving;
        at::Tensor sums;  // where they arrive
    };

    bool isBlock(size_t slab) const { return slab > 0 && slab + 1 < m_slabs.size(); }
    bool lastMicroBatch() const { return m_microBatch == m_microBatches; }
    Window& windowOf(size_t slab) { return m_windows[slab % kWindows]; }
    void bring(size_t slab);
    void need(size_t slab);
    void complete(Window& window);
    void send(size_t slab);

    Communicator& m_group;
    std::vector<Slab>& m_slabs;
    int64_t m_stage;
    std::vector<Slab> m_owned;  // from stage 1 on
    std::array<Window, kWindows> m_windows;
    std::vector<TransferPtr> m_sums;  // of whole slabs, in the order in which they began
    std::vector<bool> m_sent;
    int64_t m_microBatches = 0;
    int64_t m_microBatch = 0;
};

}  // namespace unmask
