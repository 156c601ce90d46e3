// SPDX-License-Identifier: Apache-2.0
// Draws a run in the terminal: one line that renews itself, and above it what stays (samples, warnings, checkpoints).
// Where standard output is no terminal, a plain line every few seconds.
#pragma once

#include <string>

#include "engine/base/clock.h"
#include "engine/cli/progress_state.h"
#include "engine/journal/event_reader.h"

namespace unmask {

class ProgressView {
 public:
    // Shows records after `lastSeq`.
    ProgressView(const RunFolder& folder, int64_t totalSteps, int64_t lastSeq);

    void update();                      // reads what is new and draws when it is time
    void say(const std::string& line);  // a line that stays
    void finish();                      // the renewing line goes away
    const ProgressState& state() const { return m_state; }
    bool sawSample() const { return m_sawSample; }

 private:
    void tell(const EventRecord& record);
    void tellSample(const SampleEvent& sample);
    void draw();
    void clear();

    EventReader m_reader;
    int64_t m_fromSeq;
    ProgressState m_state;
    bool m_terminal;
    bool m_lineShown = false;
    bool m_sawSample = false;
    SteadyClock::time_point m_lastDraw;
    int64_t m_lastShownMetrics = -1;
};

}  // namespace unmask
