// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/stage_chain.h"

#include <ATen/ops/dot.h>

namespace unmask {

void StageChain::send(const at::Tensor& values, int64_t toStage, int64_t tag) {
    UnderWay& own = m_sends.emplace_back(UnderWay{values.clone(), {}});
    own.transfer = m_group.startSend(own.values, static_cast<int>(toStage), static_cast<int>(tag));
}

void StageChain::receive(const at::Tensor& values, int64_t fromStage, int64_t tag) {
    m_group.receive(values, static_cast<int>(fromStage), static_cast<int>(tag));
}

void StageChain::settleTied() {
    if (m_tied.defined())
        m_ends.sum(m_tied);
}

double StageChain::squaresCountedElsewhere() const {
    if (!m_tied.defined() || isFirst())
        return 0;
    const at::Tensor exact = m_tied.to(at::kDouble);
    return at::dot(exact, exact).item<double>();
}

void StageChain::finishSends() {
    for (const UnderWay& each : m_sends)
        each.transfer->wait();
    m_sends.clear();
}

}  // namespace unmask
