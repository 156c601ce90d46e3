// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_watch.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QSignalSpy>

#include "engine/protocol/presets.h"
#include "tests/ui/support/wait_for.h"

namespace unmask::ui {
namespace {

using test::waitFor;

Hardware eightCores() {
    Hardware hardware;
    hardware.cores = 8;
    hardware.availableMemoryBytes = 32.0 * (1LL << 30);
    return hardware;
}

LayoutQuestion question(const char* preset, const char* machines) {
    LayoutQuestion asked;
    asked.spec = presetSpec(preset).value();
    asked.machines = QString::fromUtf8(machines);
    asked.hardware = eightCores();
    return asked;
}

TEST(LayoutWatch, ThisComputerIsFoundAndDescribedMachinesAreProjected) {
    const LayoutAnswer here = answerLayout(question("base", ""));
    ASSERT_TRUE(here.set && here.planned);
    EXPECT_TRUE(here.set->found);
    EXPECT_FALSE(here.plan.projection);
    const LayoutAnswer there = answerLayout(question("base", "2 个节点，每个 8 块 H100"));
    ASSERT_TRUE(there.set && there.planned);
    EXPECT_EQ(there.set->devices(), 16);
    EXPECT_TRUE(there.plan.projection);
}

TEST(LayoutWatch, AFormThatIsWrongIsNotPlannedAndTheMachinesAreKnownAllTheSame) {
    LayoutQuestion asked = question("base", "8 x H100");
    asked.spec.model.heads = 5;
    const LayoutAnswer answer = answerLayout(asked);
    EXPECT_FALSE(answer.planned);
    ASSERT_TRUE(answer.set);
    EXPECT_TRUE(answer.plan.projection);
    EXPECT_TRUE(proposeLayouts(asked, *answer.set).list.empty());
}

TEST(LayoutWatch, TheNearestLegalLayoutIsLegalAndTheRunnableOneRuns) {
    LayoutQuestion asked = question("base", "8 x H100");
    asked.spec.parallel.tensorParallelSize = 5;
    const LayoutAnswer answer = answerLayout(asked);
    EXPECT_FALSE(answer.plan.legal);
    ASSERT_TRUE(answer.nearest);
    asked.spec.parallel = *answer.nearest;
    EXPECT_TRUE(answerLayout(asked).plan.legal);
    ASSERT_TRUE(answer.runnable);
    asked.spec.parallel = *answer.runnable;
    EXPECT_FALSE(hasErrors(answerLayout(asked).plan.limits));
    EXPECT_EQ(answer.allowed.at("parallel.tensor_parallel_size").front(), 1);
}

TEST(LayoutWatch, OnlyTheLastOfSeveralQuestionsIsAnswered) {
    LayoutWatch watch;
    QSignalSpy answered(&watch, &LayoutWatch::answered);
    std::vector<int64_t> sizes;
    QObject::connect(&watch, &LayoutWatch::answered, &watch,
                     [&](const LayoutAnswer& answer) { sizes.push_back(answer.spec.parallel.dataParallelSize); });
    LayoutQuestion asked = question("base", "64 x H100 on 8 nodes");
    for (int64_t size = 1; size <= 64; ++size) {
        asked.spec.parallel.dataParallelSize = size;
        watch.ask(asked);
    }
    ASSERT_TRUE(waitFor([&] { return !answered.isEmpty(); }));
    EXPECT_EQ(sizes, std::vector<int64_t>{64});
}

// The window must not wait for the planner: asking, for the largest machines too, only hands the question over.
TEST(LayoutWatch, AskingNeverHoldsTheWindowUp) {
    LayoutWatch watch;
    QSignalSpy answered(&watch, &LayoutWatch::answered);
    QSignalSpy proposed(&watch, &LayoutWatch::proposed);
    LayoutQuestion asked = question("enhanced", "1024 x H100 on 128 nodes");
    QElapsedTimer clock;
    clock.start();
    watch.ask(asked);
    EXPECT_LT(clock.elapsed(), 50);
    ASSERT_TRUE(waitFor([&] { return !answered.isEmpty(); }, 60000));
    clock.restart();
    watch.propose();
    EXPECT_LT(clock.elapsed(), 50);
    EXPECT_TRUE(watch.isProposing());
    ASSERT_TRUE(waitFor([&] { return !proposed.isEmpty(); }, 120000));
    EXPECT_FALSE(watch.isProposing());
}

}  // namespace
}  // namespace unmask::ui
