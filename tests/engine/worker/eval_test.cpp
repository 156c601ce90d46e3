// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/worker/worker_fixture.h"

namespace unmask::test {
namespace {

// The same masks as the training's own validation, so the same figure.
TEST_F(WorkerTest, EvaluatesTheValidationSplitAndTexts) {
    const TempRun run(spec());
    ASSERT_EQ(worker({"rank", "--run", path(run)}).exitCode, 0);
    const Json bound = jsonOf(worker({"eval", "--run", path(run), "--json"}));
    EXPECT_NEAR(bound.at("nats_per_token").get<double>(), curveOf(run, "validation/loss").at(12), 1e-5);
    const Json ofText = jsonOf(worker({"eval", "--run", path(run), "--text", "a river, a stone", "--json"}));
    EXPECT_EQ(ofText.at("tokens"), 17);
    EXPECT_GT(ofText.at("bits_per_byte").get<double>(), 0);
    EXPECT_EQ(worker({"eval", "--run", path(run), "--text", ""}).exitCode, 20);
    EXPECT_EQ(worker({"eval", "--run", path(run), "--text", "\xC3("}).exitCode, 20);
}

}  // namespace
}  // namespace unmask::test
