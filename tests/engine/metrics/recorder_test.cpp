// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics/recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <thread>

#include "engine/journal/event_reader.h"

namespace unmask {
namespace {

namespace fs = std::filesystem;

class RecorderTest : public testing::Test {
 protected:
    RecorderTest() : m_folder{fs::temp_directory_path() / ("unmask-recorder-" + std::to_string(getpid()))} {
        fs::remove_all(m_folder.path);
        fs::create_directories(m_folder.path);
    }
    ~RecorderTest() override { fs::remove_all(m_folder.path); }
    std::vector<MetricsEvent> metrics() {
        std::vector<MetricsEvent> found;
        for (const auto& record : EventReader(m_folder).readRecords())
            if (const auto* event = std::get_if<MetricsEvent>(&record.event)) {
                found.push_back(*event);
                m_steps.push_back(record.step);
            }
        return found;
    }
    RunFolder m_folder;
    std::vector<int64_t> m_steps;
};

TEST_F(RecorderTest, ExpertsAreRecordedWhereThereAreAny) {
    auto journal = EventWriter::open(m_folder, 1);
    TrainingClock clock;
    Recorder recorder(journal, clock);
    recorder.endStep(1, {.loss = 2.5});
    recorder.endStep(2, {.loss = 2.5, .balanceLoss = 1.25, .largestExpertShare = 0.5});
    recorder.endStep(3, {.balanceLoss = 1, .largestExpertShare = 0.25, .droppedRoutes = 0.125, .limitedExperts = true});
    const auto found = metrics();
    ASSERT_EQ(found.size(), 3u);
    EXPECT_FALSE(found[0].values.contains("train/balance_loss"));
    EXPECT_EQ(found[1].values.at("train/balance_loss"), 1.25);
    EXPECT_EQ(found[1].values.at("train/largest_expert_share"), 0.5);
    EXPECT_FALSE(found[1].values.contains("train/dropped_routes"));
    EXPECT_EQ(found[2].values.at("train/dropped_routes"), 0.125);
}

TEST_F(RecorderTest, EveryStepHasItsRecord) {
    auto journal = EventWriter::open(m_folder, 1);
    TrainingClock clock;
    clock.start(100);
    Recorder recorder(journal, clock);
    recorder.resumeFrom(6, 6000);
    recorder.endStep(7, {.loss = 2.5,
                         .gradNorm = std::nan(""),
                         .learningRate = 1e-3,
                         .tokens = 1000,
                         .maskable = 1000,
                         .masked = 250,
                         .crossEntropySum = 500,
                         .scored = 250,
                         .seconds = 0.5});
    recorder.validation(7, std::log(8.0));
    const auto found = metrics();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(m_steps, (std::vector<int64_t>{7, 7}));
    EXPECT_EQ(found[0].tokens, 7000);
    EXPECT_GE(found[0].elapsedSeconds, 100);
    EXPECT_EQ(found[0].values.at("train/loss"), 2.5);
    EXPECT_TRUE(std::isnan(found[0].values.at("train/grad_norm")));
    EXPECT_EQ(found[0].values.at("train/mask_ratio"), 0.25);
    EXPECT_EQ(found[0].values.at("train/masked_cross_entropy"), 2);
    EXPECT_EQ(found[0].values.at("train/tokens_per_second"), 2000);
    EXPECT_EQ(found[0].values.count("train/dropped_samples"), 0u);
    EXPECT_NEAR(found[1].values.at("validation/perplexity"), 8, 1e-12);
}

TEST_F(RecorderTest, AdviceStandsAtItsStepAndIsNotRepeatedAfterAResume) {
    std::vector<double> validation(30, 2.5);  // does not improve
    const auto suggestions = [&] {
        int64_t count = 0;
        for (const auto& record : EventReader(m_folder).readRecords())
            count += std::holds_alternative<SuggestionEvent>(record.event) ? 1 : 0;
        return count;
    };
    TrainingClock clock;
    {
        auto journal = EventWriter::open(m_folder, 1);
        Recorder recorder(journal, clock);
        for (size_t i = 0; i < validation.size(); ++i)
            recorder.validation(static_cast<int64_t>(i), validation[i]);
    }
    ASSERT_EQ(suggestions(), 1);
    auto journal = EventWriter::open(m_folder, 2);
    Recorder recorder(journal, clock);
    for (size_t i = 0; i < validation.size(); ++i)
        recorder.remember(static_cast<int64_t>(i), {{"validation/loss", validation[i]}});
    recorder.validation(30, 2.5);
    EXPECT_EQ(suggestions(), 1);
}

TEST(TrainingClock, PausesAreNotCounted) {
    TrainingClock clock;
    clock.start(10);
    clock.pause();
    const double atPause = clock.elapsed();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(clock.elapsed(), atPause);
    EXPECT_GE(clock.resume(), 0.03);
    EXPECT_LT(clock.elapsed(), 10.02);
}

}  // namespace
}  // namespace unmask
