// SPDX-License-Identifier: Apache-2.0
// AdamW on a GPU against AdamW on the CPU, over several updates with and without a captured graph.
#include "engine/optimizer/gpu_adamw.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/optimizer/adamw.h"

namespace unmask {
namespace {

class GpuAdamWTest : public testing::Test {
 protected:
    void SetUp() override {
        if (const std::string problem = gpuProblem(); !problem.empty())
            GTEST_SKIP() << problem;
        openGpu();
    }
    static std::vector<Slab> onGpu(const std::vector<Slab>& slabs) {
        std::vector<Slab> copies;
        for (const Slab& slab : slabs)
            copies.push_back({slab.name, slab.values.cuda(), slab.gradients.cuda(), slab.matrixElements, {}});
        return copies;
    }
    std::vector<Slab> m_host{{"one", at::randn({1024}), at::zeros({1024}), 512},
                             {"two", at::randn({64}), at::zeros({64}), 0}};
    OptimizerConfig m_settings;
};

TEST_F(GpuAdamWTest, FollowsTheCpu) {
    std::vector<Slab> device = onGpu(m_host);
    AdamW onHost(m_host);
    GpuAdamW gpu(m_settings, device);
    for (int update = 1; update <= 6; ++update) {
        const double rate = 1e-3 * update;
        for (size_t i = 0; i < m_host.size(); ++i) {
            m_host[i].gradients.copy_(at::randn(m_host[i].gradients.sizes()));
            device[i].gradients.copy_(m_host[i].gradients);
        }
        const UpdateReport want = onHost.update(m_host, m_settings, rate);
        const UpdateReport have = gpu.update(device, m_settings, rate);
        EXPECT_TRUE(have.applied);
        EXPECT_NEAR(have.gradientNorm, want.gradientNorm, 1e-6 * want.gradientNorm);
        for (size_t i = 0; i < m_host.size(); ++i)
            EXPECT_LT(device[i].values.cpu().sub(m_host[i].values).abs().max().item<float>(), 2e-6f) << update;
        EXPECT_EQ(device[0].gradients.abs().max().item<float>(), 0) << "gradients are zeroed for the next step";
    }
    EXPECT_EQ(gpu.updates(), 6);
}

TEST_F(GpuAdamWTest, NonFiniteGradientsHoldTheUpdateBack) {
    std::vector<Slab> device = onGpu(m_host);
    GpuAdamW gpu(m_settings, device);
    for (int update = 1; update <= 3; ++update) {
        const at::Tensor before = device[0].values.cpu();
        device[1].gradients[5].fill_(std::numeric_limits<double>::quiet_NaN());
        const UpdateReport report = gpu.update(device, m_settings, 1e-2);
        EXPECT_FALSE(report.applied);
        EXPECT_TRUE(std::isnan(report.gradientNorm));
        EXPECT_TRUE(before.equal(device[0].values.cpu()));
        EXPECT_EQ(gpu.updates(), 0);
    }
}

// Moments in bf16 and weights without masters: rounded at random, so that the mean over many weights still moves right.
TEST_F(GpuAdamWTest, SixteenBitStateFollowsOnTheAverage) {
    constexpr int64_t kCount = 1 << 16;
    const auto options = at::TensorOptions().device(at::kCUDA).dtype(at::kBFloat16);
    std::vector<Slab> device{{"one", at::ones({kCount}, options), at::zeros({kCount}, options), 0, {}}};
    m_settings.statePrecision = StatePrecision::bf16;
    GpuAdamW gpu(m_settings, device);
    EXPECT_EQ(gpu.states()[0].slabs[0].scalar_type(), at::kBFloat16);
    for (int update = 0; update < 32; ++update) {
        device[0].gradients.fill_(1);
        EXPECT_TRUE(gpu.update(device, m_settings, 1e-5).applied);
    }
    EXPECT_NEAR(1 - device[0].values.to(at::kDouble).mean().item<double>(), 32 * 1e-5, 4e-5);
}

TEST_F(GpuAdamWTest, TheLossScaleHalvesOnOverflowAndIsTakenOut) {
    const auto options = at::TensorOptions().device(at::kCUDA).dtype(at::kHalf);
    const at::Tensor masters = at::ones({64}, options.dtype(at::kFloat));
    std::vector<Slab> device{{"one", masters.to(at::kHalf), at::zeros({64}, options), 0, masters}};
    m_settings.gradientClip = 0;
    GpuAdamW gpu(m_settings, device);
    gpu.setLossScale(1024);
    device[0].gradients.fill_(512);  // scaled, so 0.5
    const UpdateReport report = gpu.update(device, m_settings, 1e-3);
    EXPECT_TRUE(report.applied);
    EXPECT_NEAR(report.gradientNorm, 0.5 * 8, 1e-6);
    EXPECT_EQ(gpu.lossScale(), 1024);
    for (int update = 0; update < 2; ++update) {
        device[0].gradients.fill_(std::numeric_limits<double>::infinity());
        EXPECT_FALSE(gpu.update(device, m_settings, 1e-3).applied);
    }
    EXPECT_EQ(gpu.lossScale(), 256);
    EXPECT_TRUE(gpu.step().gradientScale.defined());
}

TEST_F(GpuAdamWTest, ChangedSettingCountsAtOnce) {
    std::vector<Slab> device = onGpu(m_host);
    GpuAdamW gpu(m_settings, device);
    OptimizerConfig settings = m_settings;
    settings.weightDecay = 0;
    for (int update = 0; update < 3; ++update)
        gpu.update(device, settings, 1e-2);  // no gradients, no decay: nothing moves
    EXPECT_TRUE(m_host[0].values.equal(device[0].values.cpu()));
    settings.weightDecay = 0.5;
    gpu.update(device, settings, 1e-2);
    EXPECT_FALSE(m_host[0].values.equal(device[0].values.cpu()));
}

}  // namespace
}  // namespace unmask
