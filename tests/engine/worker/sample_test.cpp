// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/worker/worker_fixture.h"

namespace unmask::test {
namespace {

TEST_F(WorkerTest, WritesTextThatCanBeHadAgain) {
    const TempRun run(spec());
    const ChildResult trained = worker({"rank", "--run", path(run)});
    ASSERT_EQ(trained.exitCode, 0) << trained.errors;
    const std::vector<std::string> sample{"sample", "--run", path(run), "--temperature", "1", "--seed", "9"};
    const ChildResult text = worker(sample);
    EXPECT_EQ(text.exitCode, 0) << text.errors;
    EXPECT_TRUE(text.output.starts_with("a ")) << text.output;
    EXPECT_EQ(text.output, worker(sample).output);
    const Json json = jsonOf(worker({"sample", "--run", path(run), "--checkpoint", "step-5", "--prompt", "the river",
                                     "--length", "12", "--steps", "5", "--block", "7", "--json"}));
    EXPECT_EQ(json.at("checkpoint"), "step-5");
    EXPECT_EQ(json.at("tokens").size(), 9u + 12u);
    EXPECT_EQ(json.at("length"), 12);
}

}  // namespace
}  // namespace unmask::test
