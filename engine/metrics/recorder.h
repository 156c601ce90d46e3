// SPDX-License-Identifier: Apache-2.0
// Turns what a step found into the journal's metrics record: every step has one, on a CPU at once. The rules of
// engine/insight read along, so that advice stands in the journal at the step it belongs to.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "engine/base/clock.h"
#include "engine/insight/insight.h"
#include "engine/journal/event_writer.h"

namespace unmask {

// Training time: pauses and the time between attempts are not counted; a resume goes on from what the checkpoint says.
class TrainingClock {
 public:
    void start(double secondsBefore);
    void pause();
    double resume();  // length of this pause in seconds
    double elapsed() const;

 private:
    double m_before = 0;
    bool m_running = false;
    SteadyClock::time_point m_since;
};

struct StepFigures {
    double loss = 0;      // bound, nats a token
    double gradNorm = 0;  // before clipping
    double learningRate = 0;
    int64_t tokens = 0;  // of this step, all ranks
    int64_t maskable = 0;
    int64_t masked = 0;
    double crossEntropySum = 0;  // unweighted, over the scored positions
    int64_t scored = 0;
    int64_t droppedSamples = 0;
    double lossScale = 0;           // fp16 only, of the next step; 0 is unknown
    double balanceLoss = 0;         // of sparse blocks, mean; 1 is even. Sparse models only, like the next two
    double largestExpertShare = 0;  // of a block's routes; 0 says that there are no experts
    double droppedRoutes = 0;       // share of routes whose expert was full
    bool limitedExperts = false;    // experts have a capacity
    double seconds = 0;             // the step's own time: validation and saving are not its fault
    double ago = 0;                 // seconds since it ended
};

class Recorder {
 public:
    Recorder(EventWriter& journal, TrainingClock& clock) : m_journal(journal), m_clock(clock) {}

    void resumeFrom(int64_t step, int64_t tokens);
    // What an earlier attempt recorded: the rules go on where they were, and say nothing twice.
    void remember(int64_t step, const MetricValues& values) { m_insights.observe(step, values); }
    void endStep(int64_t step, const StepFigures& figures);
    void validation(int64_t step, double bound);
    void append(Event event) { m_journal.append(m_step, std::move(event)); }

    int64_t tokens() const { return m_tokens; }
    const std::atomic<int64_t>& step() const { return m_step; }

 private:
    void write(std::map<std::string, double> values, double ago = 0);

    EventWriter& m_journal;
    TrainingClock& m_clock;
    std::atomic<int64_t> m_step{0};
    int64_t m_tokens = 0;
    Insights m_insights;
};

}  // namespace unmask
