// SPDX-License-Identifier: Apache-2.0
#include "engine/train/due.h"

#include <cmath>

namespace unmask {

namespace {
// How many times a period of `amount` steps has passed after `step` updates.
double periods(int64_t step, double amount) {
    return std::floor(static_cast<double>(step) / amount);
}
}  // namespace

void Due::startAt(int64_t step) {
    m_lastAsked = step;
    m_lastElapsed = m_clock.elapsed();
}

bool Due::due(int64_t step) {
    if (step <= m_lastAsked)
        return false;
    const int64_t before = m_lastAsked;
    m_lastAsked = step;
    switch (m_interval.unit) {
        case Interval::Unit::never:
            return false;
        case Interval::Unit::steps:
        case Interval::Unit::epochs: {
            const double unit = m_interval.unit == Interval::Unit::steps ? 1 : static_cast<double>(m_stepsPerEpoch);
            const double amount = m_interval.amount * unit;
            return amount > 0 && periods(step, amount) > periods(before, amount);
        }
        case Interval::Unit::seconds:
            if (m_clock.elapsed() - m_lastElapsed < m_interval.amount)
                return false;
            m_lastElapsed = m_clock.elapsed();
            return true;
    }
    return false;
}

}  // namespace unmask
