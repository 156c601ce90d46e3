// SPDX-License-Identifier: Apache-2.0
// Tests that start the real unmask-worker.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "engine/base/json.h"
#include "tests/engine/train/run_journal.h"
#include "tests/engine/worker/child.h"
#include "tests/golden/training_harness.h"

namespace unmask::test {

class WorkerTest : public testing::Test {
 protected:
    WorkerTest() { setenv("UNMASK_CACHE", (m_place.path() / "cache").c_str(), 1); }

    RunSpec spec(int64_t steps = 12) {
        RunSpec made = tinySpec();
        made.data.files = {writeTinyData(m_place.path()).string()};
        made.training.steps = steps;
        made.sampling.prompt = "a ";
        made.sampling.length = 20;
        return made;
    }
    ChildResult worker(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), UNMASK_WORKER);
        return runChild(arguments, m_place.path());
    }
    Json jsonOf(const ChildResult& result) {
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return parseJson(result.output.substr(0, result.output.find('\n'))).orThrow();
    }
    static std::string path(const RunFolder& folder) { return folder.path.string(); }
    // Waits until the run has made some updates.
    static void waitForStep(const RunFolder& folder, int64_t step) {
        for (int i = 0; i < 600; ++i) {
            const auto curve = curveOf(folder, "train/loss");
            if (!curve.empty() && curve.rbegin()->first >= step)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        FAIL() << "the run does not get to step " << step;
    }
    TempFolder m_place;
};

}  // namespace unmask::test
