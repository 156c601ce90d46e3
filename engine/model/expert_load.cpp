// SPDX-License-Identifier: Apache-2.0
#include "engine/model/expert_load.h"

#include <algorithm>
#include <numeric>

namespace unmask {

namespace {

template <class Visit>
void eachSparseBlock(const Transformer& model, Visit&& visit) {
    for (const auto& block : model.blocks())
        if (block->experts() != nullptr)
            visit(*block->experts());
}

template <class T>
void stepBias(const double* load, int64_t experts, double step, T* bias) {
    const double even = std::accumulate(load, load + experts, 0.0) / static_cast<double>(experts);
    for (int64_t i = 0; i < experts; ++i)
        if (load[i] != even)
            bias[i] += static_cast<T>(load[i] < even ? step : -step);
}

}  // namespace

void clearExpertLoads(const Transformer& model) {
    eachSparseBlock(model, [](const MixtureOfExperts& block) { block.load().zero_(); });
}

std::optional<ExpertFigures> expertFigures(const Transformer& model) {
    const int64_t experts = model.config().experts;
    ExpertFigures figures;
    double blocks = 0, routes = 0, dropped = 0;
    eachSparseBlock(model, [&](const MixtureOfExperts& block) {
        const double* load = block.load().data_ptr<double>();
        const double sum = std::accumulate(load, load + experts, 0.0);
        if (sum == 0)
            return;
        blocks += 1;
        routes += sum;
        dropped += load[experts];
        figures.balanceLoss += load[experts + 1];
        figures.largestShare = std::max(figures.largestShare, *std::max_element(load, load + experts) / sum);
    });
    if (blocks == 0)
        return std::nullopt;
    figures.balanceLoss /= blocks;
    figures.droppedShare = dropped / routes;
    return figures;
}

void stepExpertBiases(const Transformer& model) {
    eachSparseBlock(model, [&](const MixtureOfExperts& block) {
        const at::Tensor& bias = block.bias().value;
        if (!bias.defined())
            return;
        const double* load = block.load().data_ptr<double>();
        const double step = model.config().balanceCoefficient;
        if (bias.scalar_type() == at::kDouble)
            stepBias(load, bias.numel(), step, bias.data_ptr<double>());
        else
            stepBias(load, bias.numel(), step, bias.data_ptr<float>());
    });
}

}  // namespace unmask
