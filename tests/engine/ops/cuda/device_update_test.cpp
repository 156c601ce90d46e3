// SPDX-License-Identifier: Apache-2.0
// The update on the GPU beside the CPU's AdamW in float64, over several steps, also as a captured graph.
#include "engine/ops/device_update.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/ops/adamw.h"
#include "tests/engine/ops/cuda/gpu_check.h"

namespace unmask::gpu {
namespace {

class GpuUpdate : public GpuTest {};

constexpr double kRate = 1e-2, kDecay = 0.1, kClip = 0.5;
constexpr int64_t kSizes[] = {16, 4096 + 48, 100000, 32};

at::Tensor onGpu(int64_t count, at::ScalarType type) {
    return at::zeros({count}, at::TensorOptions().dtype(type).device(at::kCUDA));
}

// A small model on both sides. Gradients lie in one block, as the trainer's do.
struct Model {
    std::vector<Slab> host, device;
    std::vector<at::Tensor> hostM, hostV;
    DeviceUpdateArgs args;
    at::Tensor gradients, ring = onGpu(3 * static_cast<int64_t>(sizeof(StepRecord)), at::kByte),
                          counter = onGpu(1, at::kLong);

    Model(at::ScalarType type, at::ScalarType gradientType) {
        int64_t all = 0;
        for (const int64_t size : kSizes)
            all += size;
        gradients = onGpu(all, gradientType);
        int64_t at = 0;
        for (const int64_t size : kSizes) {
            const at::Tensor values = uniform({size}).to(at::kFloat).to(at::kDouble);
            host.push_back({"slab", values, at::zeros({size}, float64()), size / 2 / 16 * 16, {}});
            const at::Tensor masters = values.to(at::kFloat).to(at::kCUDA);
            device.push_back({"slab", masters.to(type), gradients.narrow(0, at, size), size / 2 / 16 * 16,
                              type == at::kFloat ? at::Tensor{} : masters});
            hostM.push_back(at::zeros({size}, float64())), hostV.push_back(at::zeros({size}, float64()));
            args.m.push_back(onGpu(size, at::kFloat)), args.v.push_back(onGpu(size, at::kFloat));
            at += size;
        }
        args.scalars = onGpu(deviceScalarBytes(), at::kByte);
        args.partials = onGpu(deviceNormPartials() * static_cast<int64_t>(device.size()), at::kDouble);
        args.sums = onGpu(2, at::kDouble);
        args.weightDecay = kDecay, args.clip = kClip;
    }

    void setGradients(double scale) {
        for (size_t i = 0; i < host.size(); ++i) {
            device[i].gradients.copy_(uniform({kSizes[i]}, 0.01) * scale);
            host[i].gradients.copy_(device[i].gradients.to(at::kDouble) / scale);
        }
    }
    void setScalars(int64_t update, float scale) {
        const StepScalars scalars{.learningRate = static_cast<float>(kRate),
                                  .biasCorrection1 = static_cast<float>(1 - std::pow(args.beta1, update)),
                                  .biasCorrection2 = static_cast<float>(1 - std::pow(args.beta2, update)),
                                  .update = update};
        const at::Tensor bytes = pinnedBytes(sizeof scalars);
        std::memcpy(bytes.data_ptr(), &scalars, sizeof scalars);
        copyAsync(bytes, args.scalars.narrow(0, 0, sizeof scalars));
        gradientScaleOf(args.scalars).fill_(scale);
        waitForGpu();
    }
    void updateHost(int64_t update) {
        const double norm = gradientNorm(host);
        for (size_t i = 0; i < host.size(); ++i)
            adamwUpdate(host[i], {.m = hostM[i],
                                  .v = hostV[i],
                                  .learningRate = kRate,
                                  .weightDecay = kDecay,
                                  .gradientScale = norm > kClip ? kClip / norm : 1,
                                  .updates = update});
    }
    StepRecord record(int64_t entry) const {
        const at::Tensor bytes = ring.cpu();
        StepRecord record;
        std::memcpy(&record, static_cast<const char*>(bytes.data_ptr()) + entry * static_cast<int64_t>(sizeof record),
                    sizeof record);
        return record;
    }
    void compare() const {
        for (size_t i = 0; i < host.size(); ++i) {
            const at::Tensor exact = device[i].masters.defined() ? device[i].masters : device[i].values;
            const at::Tensor difference = (exact.cpu().to(at::kDouble) - host[i].values).abs();
            EXPECT_LE(difference.max().item<double>(), 2e-6) << "slab " << i;
            EXPECT_TRUE((device[i].values == exact.to(device[i].values.scalar_type())).all().item<bool>());
        }
    }
};

TEST_F(GpuUpdate, FollowsTheCpuInAGraphWithClippingAndAScaledLoss) {
    for (const Types& types : mixtures()) {
        Model model(types.values, types.gradients);
        const at::Tensor losses = onGpu(70, at::kDouble).fill_(2), weights = onGpu(70, at::kDouble).fill_(0.25);
        weights.narrow(0, 60, 10).zero_();
        losses.narrow(0, 60, 10).fill_(std::numeric_limits<double>::quiet_NaN());
        const auto step = [&] {
            recordStep({losses, weights, model.args.sums});
            deviceUpdate(model.device, model.args);
            closeStep(model.args.scalars, model.args.sums, model.ring, model.counter);
            zeroGradients(model.device);
        };
        std::unique_ptr<GpuGraph> graph;
        for (int64_t update = 1; update <= 4; ++update) {
            const float scale = update == 3 ? 256.0f : 1.0f;
            model.setGradients(scale), model.setScalars(update, scale);
            const double norm = gradientNorm(model.host);
            model.updateHost(update);
            if (update == 1)
                step();
            else
                graph->launch();
            waitForGpu();
            model.compare();
            const StepRecord record = model.record((update - 1) % 3);
            EXPECT_NEAR(record.loss, 60 * 0.25 * 2, 1e-12);
            EXPECT_NEAR(record.crossEntropySum, 60 * 2, 1e-12);
            EXPECT_NEAR(record.gradientNorm, norm, 1e-5 * norm);
            EXPECT_EQ(record.applied, 1);
            EXPECT_EQ(model.gradients.count_nonzero().item<int64_t>(), 0);
            if (update == 1)
                graph = std::make_unique<GpuGraph>(step);
        }
        EXPECT_EQ(model.counter.item<int64_t>(), 4);
        EXPECT_EQ(model.args.sums.count_nonzero().item<int64_t>(), 0);
    }
}

TEST_F(GpuUpdate, WhatIsNotFiniteHoldsTheUpdateBack) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const bool badLoss : {true, false}) {
        Model model(at::kBFloat16, at::kBFloat16);
        model.setGradients(1), model.setScalars(1, 1);
        if (badLoss)
            model.args.sums[0] = kNan;
        else
            model.device[2].gradients[777] = kNan;
        deviceUpdate(model.device, model.args);
        closeStep(model.args.scalars, model.args.sums, model.ring, model.counter);
        waitForGpu();
        model.compare();  // the host was not updated either
        EXPECT_EQ(model.record(0).applied, 0);
        EXPECT_EQ(model.args.m[1].count_nonzero().item<int64_t>(), 0);
        EXPECT_EQ(model.args.sums.count_nonzero().item<int64_t>(), 0);
    }
}

// Values and moments in bf16 alone follow the exact update within their rounding; another seed rounds otherwise.
TEST_F(GpuUpdate, StochasticRoundingStaysNearTheExactUpdate) {
    std::vector<at::Tensor> results;
    for (const uint64_t seed : {1, 1, 2}) {
        at::manual_seed(3);
        Model model(at::kBFloat16, at::kBFloat16);
        for (size_t i = 0; i < model.device.size(); ++i) {
            model.device[i].masters = at::Tensor{};
            model.host[i].values.copy_(model.device[i].values.to(at::kDouble));
            model.args.m[i] = onGpu(kSizes[i], at::kBFloat16), model.args.v[i] = onGpu(kSizes[i], at::kBFloat16);
        }
        model.args.seed = seed;
        for (int64_t update = 1; update <= 8; ++update) {
            model.setGradients(1), model.setScalars(update, 1);
            model.updateHost(update);
            deviceUpdate(model.device, model.args);
        }
        waitForGpu();
        const at::Tensor difference = model.device[2].values.cpu().to(at::kDouble) - model.host[2].values;
        EXPECT_LE(std::abs(difference.mean().item<double>()), 2e-4);
        EXPECT_LE(difference.abs().max().item<double>(), 0.08);
        results.push_back(model.device[2].values.cpu());
    }
    EXPECT_TRUE(results[0].equal(results[1]));
    EXPECT_FALSE(results[0].equal(results[2]));
}

}  // namespace
}  // namespace unmask::gpu
