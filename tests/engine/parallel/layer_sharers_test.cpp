// SPDX-License-Identifier: Apache-2.0
// What is settled between slices before an update; whole trainings are in tests/engine/train/shared_layers_test.cpp.
#include "engine/parallel/layer_sharers.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

ModelConfig small() {
    ModelConfig config;
    config.layers = 1;
    config.width = 16;
    config.heads = 4;
    config.feedForwardWidth = 8;
    config.vocabularySize = 12;
    config.qkNorm = true;
    return config;
}

const NamedParameter& named(const Transformer& model, const std::string& name) {
    for (const NamedParameter& parameter : model.namedParameters())
        if (parameter.name == name)
            return parameter;
    throw std::runtime_error(name);
}

void watchAll(LayerSharers& sharers, Transformer& model) {
    std::vector<at::Tensor> gradients;
    for (const Slab& slab : model.slabs())
        gradients.push_back(slab.gradients);
    sharers.watch(model, gradients, std::vector<int64_t>(gradients.size(), 0));
}

TEST(LayerSharers, SharesAreSummedRepeatedGradientsBecomeTheFirstDevicesAndCountOnce) {
    std::array<double, 2> elsewhere{};
    const auto failures = onRanks(2, [&](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("sharers", {0, 1});
        LayerSharers sharers(*group);
        Transformer model(small(), ModelStorage{.type = at::kDouble,
                                                .gradientType = at::kDouble,
                                                .part = {.tensorParts = 2, .tensorPart = rank}});
        watchAll(sharers, model);
        for (const NamedParameter& parameter : model.namedParameters())
            parameter.gradient.fill_(rank + 1);
        sharers.settleRepeated();
        const auto first = [&](const char* name) { return named(model, name).gradient.flatten()[0].item<double>(); };
        EXPECT_EQ(first("blocks.0.attention.query.weight"), rank + 1) << "a slice stays as it is";
        EXPECT_EQ(first("blocks.0.attention.norm.weight"), 1) << "equal to the first device's";
        EXPECT_EQ(first("blocks.0.attention.key_norm.weight"), 3) << "of its own heads alone, so summed";
        elsewhere[static_cast<size_t>(rank)] = sharers.squaresCountedElsewhere();
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
    EXPECT_EQ(elsewhere[0], 0);
    EXPECT_EQ(elsewhere[1], 3 * 16 * 1 + 2 * 4 * 9) << "three norms of 16, two of a head's width 4";
}

// Where copies keep a part of each slab, only what lies in it is settled.
TEST(LayerSharers, OnlyTheOwnPartOfASlabIsSettled) {
    const auto failures = onRanks(2, [&](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("sharers", {0, 1});
        LayerSharers sharers(*group);
        Transformer model(small(), ModelStorage{.type = at::kDouble,
                                                .gradientType = at::kDouble,
                                                .part = {.tensorParts = 2, .tensorPart = rank}});
        const NamedParameter& norm = named(model, "blocks.0.attention.norm.weight");
        std::vector<at::Tensor> gradients;
        std::vector<int64_t> begins;
        for (size_t slab = 0; slab < model.slabs().size(); ++slab) {
            const bool block = static_cast<int64_t>(slab) == norm.slab;
            const at::Tensor& all = model.slabs()[slab].gradients;
            begins.push_back(block ? norm.offset + 6 : all.numel());
            gradients.push_back(block ? all.narrow(0, norm.offset + 6, 4) : all.narrow(0, 0, 0));
        }
        sharers.watch(model, gradients, begins);
        norm.gradient.fill_(rank + 1);
        sharers.settleRepeated();
        for (int64_t i = 0; i < 16; ++i)
            EXPECT_EQ(norm.gradient[i].item<double>(), i >= 6 && i < 10 ? 1 : rank + 1) << i;
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

TEST(LayerSharers, SlicesMakeTheWholeParameter) {
    const at::Tensor matrix = at::arange(24, at::TensorOptions().dtype(at::kDouble)).view({4, 6});
    const auto failures = onRanks(2, [&](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("sharers", {0, 1});
        const LayerSharers sharers(*group);
        for (const int dimension : {-1, 0, 1}) {
            const ParameterSlice slice{
                .rows = 4, .columns = 6, .dimension = dimension, .begin = rank * (dimension == 0 ? 2 : 3)};
            EXPECT_TRUE(sharers.whole(slice, sliceOf(matrix, slice, 2)).equal(matrix)) << dimension;
        }
    });
    EXPECT_EQ(failures, std::vector<std::string>(2));
}

}  // namespace
}  // namespace unmask::test
