// SPDX-License-Identifier: Apache-2.0
// A whole training in the test's process: real data, model, journal and checkpoints in a temporary folder. A hook
// before each update lets a test stop the run or break something at an exact step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/train/train_loop.h"
#include "tests/support/temp_run.h"

namespace unmask::test {

RunSpec tinySpec();  // 2 layers × 32, 12 steps of 8 rows, fp32, one thread; validates every 4 steps

// Text of many documents of uneven length, so that rows hold several samples.
std::filesystem::path writeTinyData(const std::filesystem::path& folder);

class Training {
 public:
    using BeforeStep = std::function<void(int64_t k, Training& training)>;

    // resume: from the newest checkpoint of the folder.
    Training(const RunSpec& spec, const RunFolder& folder, const std::filesystem::path& dataFolder,
             BeforeStep beforeStep = {}, bool resume = false);
    ~Training();

    LoopEnd run();
    Control& control() { return *m_control; }
    AssembledRun& objects() { return *m_objects; }
    CheckpointStore& checkpoints() { return m_store; }
    std::map<std::string, std::vector<double>> weights() const;
    void breakNextBatch() { m_breakNext = true; }  // weights of its losses become NaN, once

 private:
    class WatchedObjective;

    RunFolder m_folder;
    EventWriter m_journal;
    CheckpointStore m_store;
    TrainingClock m_clock;
    Recorder m_recorder;
    bool m_breakNext = false;
    std::unique_ptr<Heartbeat> m_heartbeat;
    std::unique_ptr<Control> m_control;
    std::unique_ptr<AssembledRun> m_objects;
    std::unique_ptr<TrainLoop> m_loop;
};

}  // namespace unmask::test
