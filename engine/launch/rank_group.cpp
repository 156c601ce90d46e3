// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/rank_group.h"

#include <algorithm>
#include <csignal>

namespace unmask {
namespace {

constexpr std::chrono::seconds kGraceOfTheOthers{30};

}  // namespace

void RankGroup::start(const std::vector<ChildOptions>& ranks) {
    m_ranks.clear();
    m_culprit.reset();
    m_killAt.reset();
    m_endingOthers = false;
    m_ended.clear();
    for (const ChildOptions& options : ranks) {
        try {
            m_ranks.push_back(ChildProcess::start(options));
            m_ended.push_back(false);
        } catch (...) {
            endNow();
            throw;
        }
    }
}

void RankGroup::poll() {
    for (size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (m_ended[rank])
            continue;
        const auto status = m_ranks[rank].poll();
        if (!status)
            continue;
        m_ended[rank] = true;
        const bool failed = status->asShellCode() != 0;
        if (!m_culprit || (failed && m_culprit->status.asShellCode() == 0))
            m_culprit = End{static_cast<int>(rank), *status};
    }
    if (m_culprit && running() && !m_endingOthers) {
        m_endingOthers = true;
        if (m_culprit->status.asShellCode() != 0) {
            send(SIGCONT);
            send(SIGTERM);
        }
        killAfter(kGraceOfTheOthers);
    }
    if (m_killAt && SteadyClock::now() >= *m_killAt)
        send(SIGKILL);
}

bool RankGroup::running() const {
    return std::find(m_ended.begin(), m_ended.end(), false) != m_ended.end();
}

void RankGroup::send(int signal) {
    for (ChildProcess& rank : m_ranks)
        rank.send(signal);
}

void RankGroup::killAfter(std::chrono::seconds grace) {
    const auto at = SteadyClock::now() + grace;
    m_killAt = m_killAt ? std::min(*m_killAt, at) : at;
}

void RankGroup::endNow() {
    send(SIGKILL);
    for (ChildProcess& rank : m_ranks)
        rank.wait();
    poll();
}

}  // namespace unmask
