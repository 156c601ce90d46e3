// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/worker/worker_fixture.h"

namespace unmask::test {
namespace {

TEST_F(WorkerTest, BenchReportsWhatItMeasured) {
    const Json bench = jsonOf(
        worker({"bench", "--preset", "first-steps", "--steps", "2", "--batch", "2", "--threads", "1", "--json"}));
    for (const char* name : {"tokens_per_second", "peak_memory_bytes", "first_step_seconds"})
        EXPECT_GT(bench.at(name).get<double>(), 0) << name;
    EXPECT_EQ(bench.at("threads"), 1);
    EXPECT_EQ(bench.at("batch"), 2);
}

TEST_F(WorkerTest, MisspeltPresetIsSuggested) {
    const ChildResult preset = worker({"bench", "--preset", "first-step"});
    EXPECT_EQ(preset.exitCode, 20);
    EXPECT_NE(preset.errors.find("first-steps"), std::string::npos) << preset.errors;
}

}  // namespace
}  // namespace unmask::test
