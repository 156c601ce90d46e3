// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/restart_policy.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"

namespace unmask {
namespace {

bool mayBeGoneNextTime(const ExitStatus& status) {
    return status.signal != 0 || status.code == static_cast<int>(ErrorCode::hardware) ||
           status.code == static_cast<int>(ErrorCode::communication) ||
           status.code == static_cast<int>(ErrorCode::preempted);
}

}  // namespace

RestartPolicy::Decision RestartPolicy::decide(const ExitStatus& status, bool askedToEnd, bool acknowledged) {
    if (askedToEnd)
        return {.reason = "it was asked to end"};
    if (!mayBeGoneNextTime(status))
        return {.reason = "the same fault would come again"};
    if (m_used >= m_budget)
        return {.reason = m_budget == 0 ? "restarts are not allowed (launch.restart_budget is 0)"
                                        : "the restarts allowed are used up"};
    if (m_failedBefore && !acknowledged)
        return {.reason = "no checkpoint was saved since the last failure"};
    m_failedBefore = true;
    ++m_used;
    const double delay = std::min(60.0, std::exp2(static_cast<double>(m_used - 1)));
    return {.restart = true, .delaySeconds = delay, .reason = "trying again from the last checkpoint"};
}

}  // namespace unmask
