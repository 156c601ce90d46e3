// SPDX-License-Identifier: Apache-2.0
#include "engine/optimizer/gpu_adamw.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstring>

#include "engine/ops/device_options.h"
#include "engine/optimizer/gradient_clip.h"

namespace unmask {

namespace {

at::Tensor gpuZeros(int64_t elements, at::ScalarType type, at::Device device) {
    return at::zeros({elements}, at::TensorOptions().dtype(type).device(device));
}

}  // namespace

GpuAdamW::GpuAdamW(const OptimizerConfig& config, const std::vector<Slab>& slabs)
    : m_states{{"adam_m", {}}, {"adam_v", {}}}, m_scalesLoss(slabs.front().values.scalar_type() == at::kHalf) {
    const at::ScalarType moments = config.statePrecision == StatePrecision::bf16 ? at::kBFloat16 : at::kFloat;
    const at::Device device = slabs.front().values.device();
    for (OptimizerState& state : m_states)
        for (const Slab& slab : slabs)
            state.slabs.push_back(gpuZeros(slab.values.numel(), moments, device));
    m_sums = gpuZeros(2, at::kDouble, device);
    m_scalars = gpuZeros(deviceScalarBytes(), at::kByte, device);
    m_partials = gpuZeros(static_cast<int64_t>(slabs.size()) * deviceNormPartials(), at::kDouble, device);
    m_counter = gpuZeros(1, at::kLong, device);
    m_hostScalars = pinnedBytes(kRecords * static_cast<int64_t>(sizeof(StepScalars)));
    m_records = pinnedBytes(kRecords * static_cast<int64_t>(sizeof(StepRecord)));
    m_records.zero_();
    gradientScaleOf(m_scalars).fill_(1);
}

DeviceStep GpuAdamW::step() const {
    return {m_sums, m_scalesLoss ? gradientScaleOf(m_scalars) : at::Tensor{}};
}

double GpuAdamW::lossScale() const {
    return gradientScaleOf(m_scalars).item<float>();
}

void GpuAdamW::setLossScale(double scale) {
    if (m_scalesLoss)
        gradientScaleOf(m_scalars).fill_(scale);
}

DeviceUpdateArgs GpuAdamW::arguments(const OptimizerConfig& config) const {
    DeviceUpdateArgs args;
    args.m = m_states[0].slabs;
    args.v = m_states[1].slabs;
    args.scalars = m_scalars;
    args.partials = m_partials;
    args.beta1 = config.beta1;
    args.beta2 = config.beta2;
    args.epsilon = config.epsilon;
    args.weightDecay = config.weightDecay;
    args.clip = config.gradientClip;
    args.sums = m_sums;
    return args;
}

void GpuAdamW::run(std::vector<Slab>& slabs, const OptimizerConfig& config) {
    deviceUpdate(slabs, arguments(config));
    closeStep(m_scalars, m_sums, m_records, m_counter);
    zeroGradients(slabs);
}

const StepRecord* GpuAdamW::queueUpdate(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate) {
    const at::AutoDispatchBelowADInplaceOrView noAutograd;
    ++m_updates;
    const int64_t place = m_queued++ % kRecords;
    const auto updates = static_cast<double>(m_updates);
    const StepScalars scalars{.learningRate = static_cast<float>(learningRate),
                              .biasCorrection1 = static_cast<float>(1 - std::pow(config.beta1, updates)),
                              .biasCorrection2 = static_cast<float>(1 - std::pow(config.beta2, updates)),
                              .dynamicScale = m_scalesLoss ? 1 : 0,
                              .update = m_updates};
    constexpr auto size = static_cast<int64_t>(sizeof scalars);
    const at::Tensor host = m_hostScalars.narrow(0, place * size, size);
    std::memcpy(host.data_ptr(), &scalars, sizeof scalars);
    copyAsync(host, m_scalars.narrow(0, 0, size));
    if (m_graph && !(m_captured == config))
        m_graph.reset();  // a setting was changed while the run goes on
    if (!deviceOptions().graphs || m_queued == 1) {
        run(slabs, config);
    } else {
        if (!m_graph) {
            m_graph = std::make_unique<GpuGraph>([&] { run(slabs, config); });
            m_captured = config;
        }
        m_graph->launch();
    }
    return reinterpret_cast<const StepRecord*>(m_records.const_data_ptr()) + place;
}

UpdateReport GpuAdamW::update(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate) {
    const StepRecord* record = queueUpdate(slabs, config, learningRate);
    waitForGpu();
    UpdateReport report{.gradientNorm = record->gradientNorm, .applied = record->applied != 0};
    if (report.applied)
        report.clipFactor = clipFactor(report.gradientNorm, config.gradientClip);
    else
        --m_updates;
    return report;
}

}  // namespace unmask
