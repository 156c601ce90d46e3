// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/rank_group.h"

#include <algorithm>
#include <csignal>

#include "engine/base/error.h"

namespace unmask {
namespace {

constexpr std::chrono::seconds kGraceAtTheEnd{30};      // a large checkpoint may still be written
constexpr std::chrono::seconds kGraceAfterAFailure{8};  // nothing more can come of it
constexpr std::chrono::milliseconds kOthersSayItToo{1500};

bool lostTheOthers(const ExitStatus& status) {
    return status.signal == 0 && status.code == static_cast<int>(ErrorCode::communication);
}

}  // namespace

void RankGroup::start(const std::vector<ChildOptions>& ranks) {
    m_ranks.clear();
    m_culprit.reset();
    m_killAt.reset();
    m_endingOthers = false;
    m_lostOthersAt.reset();
    m_silent.reset();
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
    for (size_t rank = 0; rank < m_ranks.size(); ++rank)
        if (!m_ended[rank])
            if (const auto status = m_ranks[rank].poll())
                noteEnd(rank, *status);
    if (m_culprit && running() && !m_endingOthers)
        endOthers();
    if (m_killAt && SteadyClock::now() >= *m_killAt)
        send(SIGKILL);
}

void RankGroup::noteEnd(size_t rank, const ExitStatus& status) {
    m_ended[rank] = true;
    const End end{static_cast<int>(rank), status, m_silent == rank};
    const auto weight = [](const End& of) {
        if (of.status.asShellCode() == 0)
            return 0;
        return of.silent ? 3 : lostTheOthers(of.status) ? 1 : 2;
    };
    // After a signal of ours only the silent one's end says something new.
    const bool signalled = m_culprit && m_endingOthers && weight(*m_culprit) > 0;
    if (!m_culprit || ((!signalled || end.silent) && weight(end) > weight(*m_culprit)))
        m_culprit = end;
}

void RankGroup::endOthers() {
    const bool failed = m_culprit->status.asShellCode() != 0;
    if (lostTheOthers(m_culprit->status)) {
        // Innocent ranks end by themselves, at about the same time.
        if (!m_lostOthersAt)
            m_lostOthersAt = SteadyClock::now();
        if (SteadyClock::now() - *m_lostOthersAt < kOthersSayItToo)
            return;
        m_silent = static_cast<size_t>(std::find(m_ended.begin(), m_ended.end(), false) - m_ended.begin());
    }
    m_endingOthers = true;
    if (failed) {
        send(SIGCONT);
        send(SIGTERM);
    }
    killAfter(failed ? kGraceAfterAFailure : kGraceAtTheEnd);
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
