// SPDX-License-Identifier: Apache-2.0
// "Every so often" against a run's progress. Reads its interval anew each time, so a changed setting takes effect at
// once. False at the step a run starts or resumes from, and at most true once a step.
#pragma once

#include <cstdint>

#include "engine/metrics/recorder.h"
#include "engine/protocol/interval.h"

namespace unmask {

class Due {
 public:
    Due(const Interval& interval, int64_t stepsPerEpoch, const TrainingClock& clock)
        : m_interval(interval), m_stepsPerEpoch(stepsPerEpoch), m_clock(clock) {}

    void startAt(int64_t step);
    bool due(int64_t step);  // asked once at each step, in order

 private:
    const Interval& m_interval;
    int64_t m_stepsPerEpoch;
    const TrainingClock& m_clock;
    int64_t m_lastAsked = 0;
    double m_lastElapsed = 0;  // when it was last due
};

}  // namespace unmask
