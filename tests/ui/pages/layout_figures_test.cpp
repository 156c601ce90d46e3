// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_figures.h"

#include <gtest/gtest.h>

#include <QLabel>

#include "engine/protocol/presets.h"
#include "ui/pages/layout_words.h"
#include "ui/style/numbers.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/stat_tile.h"

namespace unmask::ui {
namespace {

LayoutPlan planFor(int64_t data, int64_t pipeline, const char* machines, std::optional<int64_t> cores = 8) {
    LayoutQuestion asked;
    asked.spec = presetSpec("base").value();
    asked.spec.training.batchSize = 64;
    asked.spec.parallel.dataParallelSize = data;
    asked.spec.parallel.pipelineStages = pipeline;
    asked.spec.parallel.microBatchSize = 4;
    asked.machines = QString::fromUtf8(machines);
    asked.hardware = Hardware{};
    asked.hardware->cores = cores;
    return answerLayout(asked).plan;
}

StatTile* tile(const LayoutFiguresPane& pane, const char* name) {
    return pane.findChild<StatTile*>(QLatin1String(name));
}

TEST(LayoutFigures, TellsTimeBubbleTrafficAndMemoryOfThePlan) {
    const LayoutPlan plan = planFor(4, 2, "8 x A100 80 GB");
    ASSERT_TRUE(plan.time);
    LayoutFiguresPane pane;
    pane.show(plan);
    EXPECT_FALSE(pane.isHidden());
    EXPECT_EQ(tile(pane, "layoutTime")->value(), secondsWords(plan.time->total()));
    EXPECT_EQ(tile(pane, "layoutBubble")->value(), numbers::percent(plan.time->bubbleShare()));
    EXPECT_EQ(tile(pane, "layoutTraffic")->value(), numbers::memory(plan.time->traffic.total()));
    EXPECT_DOUBLE_EQ(pane.findChild<MemoryBar*>()->parts().needed(), static_cast<double>(plan.mostBytes()));
    for (const StatTile* one : pane.findChildren<StatTile*>())
        EXPECT_TRUE(one->accessibleName().contains(QStringLiteral("(projection)")));
    for (const StackedBar* bar : pane.findChildren<StackedBar*>())
        EXPECT_TRUE(bar->accessibleName().contains(QStringLiteral("(projection)")));
}

TEST(LayoutFigures, OneDeviceNeitherWaitsNorSends) {
    LayoutFiguresPane pane;
    pane.show(planFor(1, 1, ""));
    EXPECT_TRUE(tile(pane, "layoutBubble")->isHidden());
    EXPECT_TRUE(tile(pane, "layoutTraffic")->isHidden());
    EXPECT_FALSE(tile(pane, "layoutTime")->isHidden());
    for (const QLabel* label : pane.findChildren<QLabel*>())
        EXPECT_FALSE(label->text().contains(QStringLiteral("rojection"))) << label->text().toStdString();
}

TEST(LayoutFigures, AnUnknownSpeedIsCalledUnknownAndAnIllegalLayoutHasNoFigures) {
    LayoutFiguresPane pane;
    pane.show(planFor(1, 1, "", std::nullopt));
    EXPECT_EQ(tile(pane, "layoutTime")->value(), numbers::unknown());
    pane.show(planFor(5, 5, "8 x A100 80 GB"));
    EXPECT_TRUE(pane.isHidden());
}

}  // namespace
}  // namespace unmask::ui
