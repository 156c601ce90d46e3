// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/layout_scene.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

constexpr double kGiB = 1073741824.0;

// data 2 × tensor 2 × pipeline 2 × context 2 on two nodes of ten; twelve layers in interleaved pieces.
LayoutScene sixteenRanks() {
    LayoutScene scene;
    scene.copies = scene.slices = scene.stages = scene.parts = 2;
    scene.nodes = 2;
    scene.perNode = 10;
    scene.layers = 12;
    MemoryParts memory;
    memory.weights = 10 * kGiB;
    memory.capacity = 80 * kGiB;
    scene.holdings = {{{0, 1, 2, 6, 7, 8}, memory}, {{3, 4, 5, 9, 10, 11}, memory}};
    return scene;
}

// rank = ((pipeline · data + d) · context + c) · tensor + t, as engine/parallel/mesh has it.
TEST(LayoutScene, RanksAreCountedTensorFirstAndStagesLast) {
    const LayoutScene scene = sixteenRanks();
    for (qint64 rank = 0; rank < 16; ++rank) {
        const LayoutPlace place = scene.placeOf(rank);
        EXPECT_EQ(((place.stage * 2 + place.copy) * 2 + place.part) * 2 + place.slice, rank);
    }
    const LayoutPlace fifth = scene.placeOf(5);
    EXPECT_EQ(fifth.slice, 1);
    EXPECT_EQ(fifth.part, 0);
    EXPECT_EQ(fifth.copy, 1);
    EXPECT_EQ(fifth.stage, 0);
    EXPECT_EQ(placeWords(scene, 5).toStdString(), "copy 2 · stage 1 · slice 2 · row part 1");
    EXPECT_EQ(placeWords(LayoutScene{}, 0).toStdString(), "whole model");
}

TEST(LayoutScene, DevicesWithoutARankIdleAndRanksWithoutADeviceAreMissed) {
    LayoutScene scene = sixteenRanks();
    EXPECT_EQ(useOf(scene, 15), DeviceUse::rank);
    EXPECT_EQ(useOf(scene, 16), DeviceUse::idle);
    EXPECT_EQ(deviceSentences(scene, 16).join(QLatin1Char(' ')).toStdString(), "Node 2, device 7 stays idle.");
    scene.perNode = 4;
    EXPECT_EQ(useOf(scene, 7), DeviceUse::rank);
    EXPECT_EQ(useOf(scene, 8), DeviceUse::missing);
    EXPECT_EQ(deviceSentences(scene, 8).join(QLatin1Char(' ')).toStdString(), "Rank 8 has no device.");
}

TEST(LayoutScene, SaysWhatEachRankHolds) {
    const LayoutScene scene = sixteenRanks();
    EXPECT_EQ(deviceSentences(scene, 13).join(QLatin1Char(' ')).toStdString(),
              "Rank 13 on node 2, device 4. Copy 2 of 2 of the model. Stage 2 of 2 of the pipeline. "
              "Slice 2 of 2 of each layer. Part 1 of 2 of each row of tokens. Holds layers 4–6, 10–12. "
              "Needs 10.0 GiB of 80.0 GiB.");
    EXPECT_EQ(layerRanges({0}).toStdString(), "1");
    EXPECT_EQ(layerRanges({}).toStdString(), "");
}

TEST(LayoutScene, AnIllegalLayoutClaimsNoMemory) {
    LayoutScene scene = sixteenRanks();
    scene.holdings.clear();
    EXPECT_EQ(scene.holdingOf(3), nullptr);
    EXPECT_EQ(scene.memoryOf(3).needed(), 0);
    EXPECT_FALSE(deviceSentences(scene, 3).join(QLatin1Char(' ')).contains(QStringLiteral("GiB")));
}

TEST(LayoutScene, WhatOthersUseOfADeviceIsKept) {
    LayoutScene scene = sixteenRanks();
    scene.memory = {{80 * kGiB, 5 * kGiB}, {80 * kGiB, 75 * kGiB}};
    EXPECT_TRUE(scene.memoryOf(0).fits());
    EXPECT_FALSE(scene.memoryOf(1).fits()) << "10 GiB do not fit beside 75 of 80";
}

}  // namespace
}  // namespace unmask::ui
