// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/layout_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

using testing::HasSubstr;

RunSpec specOf(int64_t layers, int64_t width) {
    RunSpec spec;
    spec.model.layers = layers;
    spec.model.width = width;
    spec.model.heads = width / 64;
    spec.model.feedForwardWidth = 11 * width / 4;
    spec.model.vocabularySize = 50304;
    spec.model.sequenceLength = 1024;
    spec.training.batchSize = 64;
    spec.training.precision = Precision::bf16;
    return spec;
}

std::string textOf(const LayoutReport& report) {
    std::string text;
    for (const std::string& line : reportLines(report))
        text += line + "\n";
    return text;
}

const MachineSet kNode = machinesOf(*knownDevice("H100", 0), 1, 8);

TEST(LayoutReport, SaysThatDescribedMachinesAreAProjection) {
    const LayoutReport report = reportLayouts(specOf(24, 1024), kNode);
    const std::string text = textOf(report);
    EXPECT_THAT(text, HasSubstr("A projection for 8 × H100 80 GB"));
    EXPECT_THAT(text, HasSubstr("Recommended: data 8"));
    EXPECT_THAT(text, HasSubstr("Memory of the fullest device: weights "));
    for (const char* column : {"memory a rank", "compute", "communication", "bubble", "update", "runs today"})
        EXPECT_THAT(text, HasSubstr(column));
    EXPECT_FALSE(report.asSet.has_value());
    const Json json = reportToJson(report);
    EXPECT_TRUE(json.at("projection").get<bool>());
    EXPECT_EQ(json.at("layouts").at(0).at("parallel").at("data_parallel_size"), 8);
    EXPECT_FALSE(json.at("layouts").at(0).at("reasons").empty());
    EXPECT_TRUE(json.at("as_set").is_null());
}

// Whatever the engine can do by then: the report says it of each layout, and offers one that runs.
TEST(LayoutReport, SaysWhatThisVersionRuns) {
    RunSpec spec = specOf(4, 128);
    spec.training.precision = Precision::fp32;
    const LayoutReport onGpus = reportLayouts(spec, kNode);
    const LayoutPlan& best = onGpus.choices.front().plan;
    EXPECT_EQ(textOf(onGpus).find("Not yet: ") == std::string::npos, best.runsToday());
    if (!best.runsToday() && onGpus.runsToday) {
        EXPECT_TRUE(onGpus.runsToday->plan.runsToday());
        EXPECT_THAT(textOf(onGpus), HasSubstr("What this version runs on these machines: "));
    }
    Hardware hardware;
    hardware.cores = 4;
    hardware.availableMemoryBytes = 16e9;
    const std::string here = textOf(reportLayouts(spec, coresOf(hardware)));
    EXPECT_THAT(here, HasSubstr("An estimate for 4 CPU cores of this computer"));
}

TEST(LayoutReport, TheLayoutThatWasSetStandsBesideTheBest) {
    RunSpec spec = specOf(24, 1024);
    spec.parallel.dataParallelSize = 2;
    spec.parallel.tensorParallelSize = 4;
    const LayoutReport report = reportLayouts(spec, kNode);
    EXPECT_THAT(textOf(report), HasSubstr("as set: data 2 × tensor 4"));
    EXPECT_EQ(reportToJson(report).at("as_set").at("world_size"), 8);
    EXPECT_FALSE(report.nearest.has_value());
}

TEST(LayoutReport, AnIllegalLayoutSaysWhyAndOffersTheNearest) {
    RunSpec spec = specOf(24, 1024);
    spec.parallel.tensorParallelSize = 3;
    spec.parallel.dataParallelSize = 2;
    const std::string text = textOf(reportLayouts(spec, kNode));
    EXPECT_THAT(text, HasSubstr("As set: data 2 × tensor 3, which is not legal"));
    EXPECT_THAT(text, HasSubstr("3 does not divide the 16 attention heads."));
    EXPECT_THAT(text, HasSubstr("The nearest legal layout: data 2 × tensor 4"));
}

TEST(LayoutReport, WhereNothingFitsItSaysSo) {
    const std::string text = textOf(reportLayouts(specOf(96, 12288), machinesOf(*knownDevice("L4", 0), 1, 2)));
    EXPECT_THAT(text, HasSubstr("Nearest to fitting: "));
    EXPECT_THAT(text, HasSubstr("No layout fits these machines"));
}

}  // namespace
}  // namespace unmask
