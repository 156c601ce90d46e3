// SPDX-License-Identifier: Apache-2.0
#include "engine/train/train_loop.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/train/run_journal.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

using test::curveOf;
using test::eventsOf;
using test::Training;

class TrainLoopTest : public testing::Test {
 protected:
    TrainLoopTest() { test::writeTinyData(m_data.path()); }
    test::TempFolder m_data;
    test::TempRun m_run;
};

std::vector<std::string> savedFolders(const RunFolder& folder) {
    std::vector<std::string> saved;
    for (const auto& event : eventsOf<CheckpointEvent>(folder))
        if (event.action == "saved")
            saved.push_back(event.folder);
    return saved;
}

TEST_F(TrainLoopTest, EvaluatesSamplesAndSavesWhenDueAndAtTheEnd) {
    RunSpec spec = test::tinySpec();
    spec.sampling = {.interval = Interval::steps(6), .prompt = "the ", .length = 8, .denoisingSteps = 4};
    Training training(spec, m_run, m_data.path());
    const LoopEnd end = training.run();
    EXPECT_EQ(end.code, ErrorCode::finished);
    EXPECT_EQ(curveOf(m_run, "train/loss").size(), 12u);
    const auto validation = curveOf(m_run, "validation/loss");
    EXPECT_EQ(validation.size(), 3u);  // at 4, 8 and, once, 12
    EXPECT_EQ(validation.rbegin()->first, 12);
    EXPECT_EQ(savedFolders(m_run), (std::vector<std::string>{"step-5", "step-10", "step-12"}));
    const auto samples = eventsOf<SampleEvent>(m_run);
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_EQ(samples[0].prompt, "the ");
    EXPECT_TRUE(std::filesystem::exists(m_run.folder().samples() / "step-6.txt"));
    for (const auto& event : eventsOf<MetricsEvent>(m_run))
        EXPECT_GT(event.tokens, 0);
}

TEST_F(TrainLoopTest, CommandsActBetweenStepsAndAreAnswered) {
    Training training(test::tinySpec(), m_run, m_data.path(), [](int64_t k, Training& run) {
        if (k == 2) {
            run.control().submit({.id = "set", .kind = CommandKind::set, .setting = "steps", .value = 7});
            run.control().submit({.id = "no", .kind = CommandKind::set, .setting = "model.width", .value = 7});
            run.control().submit({.id = "save", .kind = CommandKind::checkpoint});
            run.control().submit({.id = "write", .kind = CommandKind::sample});
        }
    });
    EXPECT_EQ(training.run().code, ErrorCode::finished);
    EXPECT_EQ(curveOf(m_run, "train/loss").rbegin()->first, 7);
    EXPECT_EQ(savedFolders(m_run), (std::vector<std::string>{"step-3", "step-5", "step-7"}));
    std::map<std::string, CommandEvent> answers;
    for (const auto& answer : eventsOf<CommandEvent>(m_run))
        answers[answer.id] = answer;
    EXPECT_EQ(answers["set"].detail, "training.steps: 12 → 7");
    EXPECT_FALSE(answers["no"].accepted);
    EXPECT_EQ(answers["save"].detail, "saved step-3");
    EXPECT_TRUE(answers["write"].accepted);
    EXPECT_EQ(eventsOf<SampleEvent>(m_run).size(), 1u);
}

TEST_F(TrainLoopTest, StopWithoutSavingLeavesTheLastCheckpoint) {
    Training training(test::tinySpec(), m_run, m_data.path(), [](int64_t k, Training& run) {
        if (k == 6)
            run.control().submit({.id = "s", .kind = CommandKind::stop, .saveFirst = false});
    });
    EXPECT_EQ(training.run().code, ErrorCode::stopped);
    EXPECT_EQ(savedFolders(m_run), std::vector<std::string>{"step-5"});
}

TEST_F(TrainLoopTest, PassingFaultIsTriedAgainAndChangesNothing) {
    std::map<int64_t, double> undisturbed;
    {
        const test::TempRun other;
        Training(test::tinySpec(), other, m_data.path()).run();
        undisturbed = curveOf(other, "train/loss");
    }
    Training training(test::tinySpec(), m_run, m_data.path(), [](int64_t k, Training& run) {
        if (k == 5)
            run.breakNextBatch();
    });
    EXPECT_EQ(training.run().code, ErrorCode::finished);
    EXPECT_EQ(curveOf(m_run, "train/loss"), undisturbed);
    const auto anomalies = eventsOf<AnomalyEvent>(m_run);
    ASSERT_EQ(anomalies.size(), 1u);
    EXPECT_EQ(anomalies[0].what, "non_finite_loss");
}

TEST_F(TrainLoopTest, LastingFaultEndsTheRunBeforeTheUpdateAndKeepsTheCheckpoint) {
    std::map<std::string, std::vector<double>> before;
    Training training(test::tinySpec(), m_run, m_data.path(), [&](int64_t k, Training& run) {
        if (k == 6) {
            run.objects().model->slabs()[1].values[0].fill_(NAN);
            before = run.weights();
        }
    });
    try {
        training.run();
        FAIL() << "went on with NaN";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::nonFinite);
        EXPECT_NE(std::string(error.what()).find("step-5 is kept"), std::string::npos) << error.what();
    }
    const auto after = training.weights();
    for (const auto& [name, values] : before)
        for (size_t i = 0; i < values.size(); ++i)
            ASSERT_TRUE(values[i] == after.at(name)[i] || std::isnan(values[i])) << name;
    EXPECT_EQ(curveOf(m_run, "train/loss").rbegin()->first, 6);
    EXPECT_EQ(eventsOf<AnomalyEvent>(m_run).size(), 2u);
    EXPECT_EQ(savedFolders(m_run), std::vector<std::string>{"step-5"});
}

TEST_F(TrainLoopTest, ChangedDataIsRefusedOnAResume) {
    Training(test::tinySpec(), m_run, m_data.path()).run();
    test::writeBytes(m_data.path() / "documents.jsonl",
                     "{\"text\":\"another text altogether, but long enough\"}\n"
                     "{\"text\":\"and a second one for the validation split\"}\n");
    EXPECT_THROW(Training(test::tinySpec(), m_run, m_data.path(), {}, true), Error);
}

}  // namespace
}  // namespace unmask
