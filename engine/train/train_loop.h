// SPDX-License-Identifier: Apache-2.0
// The training loop. Everything it walks over has been made by assemble_run; everything it says goes to the journal.
#pragma once

#include "engine/checkpoint/checkpoint_store.h"
#include "engine/train/assemble_run.h"
#include "engine/train/control.h"
#include "engine/train/due.h"
#include "engine/train/heartbeat.h"
#include "engine/train/run_sampler.h"
#include "engine/train/step_decision.h"
#include "engine/train/train_step.h"

namespace unmask {

// What surrounds the loop and outlives it.
struct LoopServices {
    EventWriter& journal;
    TrainingClock& clock;
    Recorder& recorder;
    Control& control;
    Heartbeat& heartbeat;
    CheckpointStore& checkpoints;
};

struct LoopEnd {
    ErrorCode code = ErrorCode::finished;  // finished, stopped or preempted
    std::string reason;
};

class TrainLoop {
 public:
    TrainLoop(AssembledRun& run, const RunFolder& folder, const LoopServices& services);

    void restore(const LoadedCheckpoint& checkpoint);  // else it starts at step 0
    LoopEnd run();
    int64_t step() const { return m_step; }

 private:
    void begin();
    bool leads() const { return !m_run.team || m_run.team->leads(); }
    bool samplesAlong() const;
    StepDecision decide();
    StepDecision ownDecision();
    void follow(const StepDecision& decision);
    void takeStep();
    // Records what the device has done; `all` waits for everything that is queued.
    void collect(bool all);
    void heldBack(const StepResult& result);
    void evaluate();
    void sample(const std::vector<Command>& commands);
    void save(const std::vector<Command>& commands);
    LoopEnd finish(const StepDecision& decision);
    void requireSaved() const;
    void requireSameData(const LoadedCheckpoint& checkpoint) const;
    Outcome changeSetting(const Command& command, std::string& detail);

    AssembledRun& m_run;
    LoopServices m_services;
    std::unique_ptr<TrainStep> m_trainStep;
    RunSampler m_sampler;
    Due m_saveEvery;
    Due m_evaluateEvery;
    Due m_sampleEvery;
    std::unique_ptr<BatchLoader> m_loader;
    Wishes m_wishes;  // behind the present decision; the leading rank's alone
    std::vector<std::pair<std::string, std::string>> m_changedSettings;  // since the last decision
    int64_t m_startStep = 0;
    int64_t m_step = 0;      // updates queued
    int64_t m_recorded = 0;  // of these, updates that stand in the journal
    int64_t m_failures = 0;  // held-back tries in a row
    int64_t m_evaluatedAt = -1;
};

}  // namespace unmask
