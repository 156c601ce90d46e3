// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/replica_traffic.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "engine/base/error.h"

namespace unmask {

ReplicaTraffic::ReplicaTraffic(Communicator& group, std::vector<Slab>& slabs, int64_t zeroStage)
    : m_group(group), m_slabs(slabs), m_stage(zeroStage) {
    if (m_stage == 0)
        return;
    int64_t longest = 0;
    for (size_t i = 0; i < slabs.size(); ++i) {
        const Slab& slab = slabs[i];
        if (slab.values.numel() % slabMultiple(group.size()) != 0 || slab.masters.defined())
            throw Error{ErrorCode::internal, "[parallel] slab " + slab.name + " cannot be cut into even parts"};
        const int64_t length = slab.values.numel() / group.size();
        const int64_t begin = length * group.rank();
        Slab part{slab.name, partOf(slab.values), {}, std::clamp(slab.matrixElements - begin, int64_t{0}, length), {}};
        if (m_stage == 3 && isBlock(i))
            part.values = at::zeros({length}, slab.values.options());
        part.gradients = at::zeros({length}, slab.gradients.options());
        m_owned.push_back(std::move(part));
        longest = std::max(longest, isBlock(i) ? length : 0);
    }
    if (m_stage >= 2)
        for (Window& window : m_windows)
            window.sums = at::empty({longest}, slabs.front().gradients.options());
}

at::Tensor ReplicaTraffic::partOf(const at::Tensor& whole) const {
    const int64_t length = whole.numel() / m_group.size();
    return whole.narrow(0, length * m_group.rank(), length);
}

void ReplicaTraffic::beginStep(int64_t microBatches) {
    m_microBatches = microBatches;
    m_microBatch = 0;
    m_sent.assign(m_slabs.size(), false);
    for (size_t i = 0; i < m_slabs.size(); ++i)
        if (m_stage < 2 || !isBlock(i))
            m_slabs[i].gradients.zero_();
    for (Slab& part : m_owned)
        part.gradients.zero_();
}

void ReplicaTraffic::bring(size_t slab) {
    Window& window = windowOf(slab);
    if (window.values == slab)
        return;
    if (window.arriving)
        window.arriving->wait();
    window.values = slab;
    window.arriving = m_group.startGather(m_owned[slab].values, m_slabs[slab].values);
}

void ReplicaTraffic::need(size_t slab) {
    bring(slab);
    if (const TransferPtr arriving = std::move(windowOf(slab).arriving))
        arriving->wait();
}

void ReplicaTraffic::beforeForward(size_t slab) {
    if (m_stage < 3 || !isBlock(slab))
        return;
    need(slab);
    if (isBlock(slab + 1))
        bring(slab + 1);
}

void ReplicaTraffic::beforeBackward(size_t slab) {
    if (m_stage >= 3) {
        need(slab);
        if (isBlock(slab - 1))
            bring(slab - 1);
    }
    if (m_stage >= 2) {
        complete(windowOf(slab));
        m_slabs[slab].gradients.zero_();
    }
}

void ReplicaTraffic::afterBackward(size_t slab) {
    if (m_stage >= 2 && isBlock(slab)) {
        Window& window = windowOf(slab);
        const at::Tensor& sum = m_owned[slab].gradients;
        window.gradients = slab;
        window.leaving = m_group.startSumAndScatter(m_slabs[slab].gradients, window.sums.narrow(0, 0, sum.numel()));
    } else if (lastMicroBatch()) {
        send(slab);
    }
}

void ReplicaTraffic::complete(Window& window) {
    const TransferPtr leaving = std::move(window.leaving);
    if (!leaving)
        return;
    leaving->wait();
    const at::Tensor& sum = m_owned[window.gradients].gradients;
    sum.add_(window.sums.narrow(0, 0, sum.numel()));
    window.gradients = kNobody;
}

void ReplicaTraffic::send(size_t slab) {
    m_sent[slab] = true;
    const at::Tensor& gradients = m_slabs[slab].gradients;
    m_sums.push_back(m_stage == 0 ? m_group.startSum(gradients)
                                  : m_group.startSumAndScatter(gradients, m_owned[slab].gradients));
}

void ReplicaTraffic::finish() {
    for (Window& window : m_windows)
        complete(window);
    for (size_t slab = 0; slab < m_slabs.size(); ++slab)
        if (!m_sent[slab] && (m_stage < 2 || !isBlock(slab)))
            throw Error{ErrorCode::internal, "[parallel] the backward pass has not been at slab " + m_slabs[slab].name};
    for (const TransferPtr& sum : m_sums)
        sum->wait();
    m_sums.clear();
}

void ReplicaTraffic::shareValues() {
    if (m_stage == 0)
        return;
    std::vector<TransferPtr> gathered;
    for (size_t slab = 0; slab < m_slabs.size(); ++slab)
        if (m_stage < 3 || !isBlock(slab))
            gathered.push_back(m_group.startGather(m_owned[slab].values, m_slabs[slab].values));
    for (const TransferPtr& each : gathered)
        each->wait();
    for (Window& window : m_windows) {
        if (window.arriving)
            window.arriving->wait();
        window.arriving.reset();
        window.values = kNobody;  // what is there is older than the update
    }
}

void ReplicaTraffic::keepValues(size_t slab) {
    if (m_stage == 3 && isBlock(slab))
        m_owned[slab].values.copy_(partOf(m_slabs[slab].values));
}

void ReplicaTraffic::setValues(size_t slab, const at::Tensor& whole) {
    if (m_stage == 3 && isBlock(slab))
        m_owned[slab].values.copy_(partOf(whole));
    else
        m_slabs[slab].values.copy_(whole);
}

at::Tensor ReplicaTraffic::whole(size_t slab, const at::Tensor& part) {
    at::Tensor all = at::empty({m_slabs[slab].values.numel()}, part.options());
    m_group.gather(part, all);
    return all;
}

at::Tensor ReplicaTraffic::wholeValues(size_t slab) {
    return m_stage == 3 && isBlock(slab) ? whole(slab, m_owned[slab].values) : m_slabs[slab].values;
}

}  // namespace unmask
