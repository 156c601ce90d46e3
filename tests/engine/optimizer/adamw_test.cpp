// SPDX-License-Identifier: Apache-2.0
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/optimizer/adamw.h"

namespace unmask {
namespace {

struct Bench {
    std::vector<Slab> slabs{{"one", at::ones({20}), at::full({20}, 3.0), 16},
                            {"two", at::ones({4}), at::full({4}, 4.0), 0}};
    OptimizerConfig settings;
    std::unique_ptr<Optimizer> optimizer = makeOptimizer(settings, slabs);
};

TEST(AdamW, ReportsTheNormAndClips) {
    Bench bench;
    const UpdateReport report = bench.optimizer->update(bench.slabs, bench.settings, 1e-2);
    EXPECT_TRUE(report.applied);
    EXPECT_DOUBLE_EQ(report.gradientNorm, std::sqrt(20 * 9.0 + 4 * 16.0));
    EXPECT_DOUBLE_EQ(report.clipFactor, 1 / report.gradientNorm);
    EXPECT_EQ(bench.optimizer->updates(), 1);
    // The first step of Adam has the size of the rate; only the matrix part also decays.
    EXPECT_NEAR(bench.slabs[0].values[0].item<float>(), 1 - 1e-2 * 0.1 - 1e-2, 1e-6);
    EXPECT_NEAR(bench.slabs[0].values[17].item<float>(), 1 - 1e-2, 1e-6);
    EXPECT_NEAR(bench.slabs[1].values[0].item<float>(), 1 - 1e-2, 1e-6);
    EXPECT_EQ(bench.optimizer->states()[0].name, "adam_m");
    EXPECT_NEAR(bench.optimizer->states()[0].slabs[0][0].item<double>(), 0.1 * 3 / report.gradientNorm, 1e-7);
}

TEST(AdamW, NonFiniteGradientsHoldTheUpdateBack) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Bench bench;
        bench.optimizer->update(bench.slabs, bench.settings, 1e-2);
        const at::Tensor values = bench.slabs[0].values.clone();
        const at::Tensor m = bench.optimizer->states()[0].slabs[0].clone();
        bench.slabs[1].gradients.narrow(0, 2, 1).fill_(bad);
        const UpdateReport report = bench.optimizer->update(bench.slabs, bench.settings, 1e-2);
        EXPECT_FALSE(report.applied);
        EXPECT_FALSE(std::isfinite(report.gradientNorm));
        EXPECT_TRUE(at::equal(bench.slabs[0].values, values));
        EXPECT_TRUE(at::equal(bench.optimizer->states()[0].slabs[0], m));
        EXPECT_EQ(bench.optimizer->updates(), 1);
    }
}

TEST(AdamW, StateAndCountContinueARun) {
    Bench through;
    Bench resumed;
    for (int i = 0; i < 2; ++i) {
        through.optimizer->update(through.slabs, through.settings, 1e-2);
        resumed.optimizer->update(resumed.slabs, resumed.settings, 1e-2);
    }
    const auto fresh = makeOptimizer(resumed.settings, resumed.slabs);
    for (size_t i = 0; i < fresh->states().size(); ++i)
        for (size_t slab = 0; slab < resumed.slabs.size(); ++slab)
            fresh->states()[i].slabs[slab].copy_(resumed.optimizer->states()[i].slabs[slab]);
    fresh->setUpdates(resumed.optimizer->updates());
    through.optimizer->update(through.slabs, through.settings, 1e-2);
    fresh->update(resumed.slabs, resumed.settings, 1e-2);
    EXPECT_TRUE(at::equal(through.slabs[0].values, resumed.slabs[0].values));
}

}  // namespace
}  // namespace unmask
