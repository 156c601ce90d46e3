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

TEST_F(WorkerTest, BenchTakesAnySettingAndNamesItInItsAnswer) {
    const Json bench = jsonOf(worker({"bench", "--steps", "1", "--batch", "2", "--threads", "1", "--set", "layers=1",
                                      "--set", "model.feed_forward_width=64", "--json"}));
    EXPECT_EQ(bench.at("settings"), Json({"layers=1", "model.feed_forward_width=64"}));
    const Json whole = jsonOf(worker({"bench", "--steps", "1", "--batch", "2", "--threads", "1", "--json"}));
    EXPECT_LT(bench.at("parameters").get<int64_t>(), whole.at("parameters").get<int64_t>());

    const ChildResult malformed = worker({"bench", "--set", "layers"});
    EXPECT_EQ(malformed.exitCode, 20);
    EXPECT_NE(malformed.errors.find("NAME=VALUE"), std::string::npos) << malformed.errors;
}

TEST_F(WorkerTest, MisspeltPresetIsSuggested) {
    const ChildResult preset = worker({"bench", "--preset", "first-step"});
    EXPECT_EQ(preset.exitCode, 20);
    EXPECT_NE(preset.errors.find("first-steps"), std::string::npos) << preset.errors;
}

}  // namespace
}  // namespace unmask::test
