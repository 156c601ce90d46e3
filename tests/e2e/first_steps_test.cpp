// SPDX-License-Identifier: Apache-2.0
// What a newcomer is promised: the first-steps model learns tiny Shakespeare visibly within two minutes on two cores.
// It needs both cores for itself, so it is a slow test.
#include <gmock/gmock.h>

#include "engine/journal/event_reader.h"
#include "engine/protocol/metric_names.h"
#include "tests/e2e/cli_support.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

constexpr double kBoundInNats = 2.45;
constexpr double kSeconds = 120;

using FirstStepsTest = CliTest;

TEST_F(FirstStepsTest, LearnsTinyShakespeareWithinTwoMinutes) {
    UNMASK_NEEDS_WORKER();
    const std::filesystem::path data = realData("tinyshakespeare.txt");
    if (data.empty())
        GTEST_SKIP() << "tinyshakespeare.txt is not on this machine (UNMASK_TEST_DATA)";
    EngineProgram program = start({"train", "--preset", "first-steps", "--data", data.string(), "--run",
                                   runFolder().path.string(), "--threads", "2"});
    ASSERT_EQ(program.wait(600), 0) << program.output() << program.errors();
    EXPECT_THAT(program.output(), HasSubstr("Generated"));

    double firstLoss = 0, bound = 1e9, reached = 0, total = 0;
    EventReader reader(runFolder());
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords()) {
        for (const EventRecord& record : records) {
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (!metrics)
                continue;
            total = metrics->elapsedSeconds;
            const auto loss = metrics->values.find(std::string(metric::kTrainLoss));
            if (firstLoss == 0 && loss != metrics->values.end())
                firstLoss = loss->second;
            const auto validation = metrics->values.find(std::string(metric::kValidationLoss));
            if (validation == metrics->values.end())
                continue;
            bound = std::min(bound, validation->second);
            if (bound <= kBoundInNats && reached == 0)
                reached = total;
        }
    }
    std::printf("loss %.3f at first; validation bound %.3f nats a byte in the end, %.2f after %.0f s of %.0f s\n",
                firstLoss, bound, kBoundInNats, reached, total);
    EXPECT_NEAR(firstLoss, 5.6, 0.3);
    EXPECT_LE(bound, kBoundInNats);
    EXPECT_GT(reached, 0);
    EXPECT_LE(reached, kSeconds);
}

}  // namespace
}  // namespace unmask::test
