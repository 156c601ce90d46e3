// SPDX-License-Identifier: Apache-2.0
// Initial weights, and parameters as slices of their slabs.
#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>

#include "engine/base/error.h"
#include "engine/model/initial_weights.h"
#include "engine/model/transformer.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask {
namespace {

ModelConfig smallConfig() {
    ModelConfig config;
    config.layers = 2;
    config.width = 32;
    config.heads = 4;
    config.feedForwardWidth = 48;
    config.vocabularySize = 384;
    config.biases = true;
    config.qkNorm = true;
    return config;
}

const NamedParameter& named(const Transformer& model, const std::string& name) {
    for (const NamedParameter& parameter : model.namedParameters())
        if (parameter.name == name)
            return parameter;
    throw std::runtime_error(name);
}

TEST(Transformer, InitialWeightsHaveTheirSpread) {
    ModelConfig config = smallConfig();
    config.width = 128;
    Transformer model(config, at::kFloat);
    model.initialise(42);
    const auto spread = [&](const char* name) {
        return named(model, name).value.to(at::kDouble).pow(2).mean().sqrt().item<double>();
    };
    EXPECT_NEAR(spread("embedding.weight"), 0.02, 0.0005);
    EXPECT_NEAR(spread("blocks.1.attention.query.weight"), 0.02, 0.0005);
    EXPECT_NEAR(spread("blocks.1.attention.output.weight"), 0.02 / std::sqrt(4.0), 0.0004);
    EXPECT_NEAR(spread("blocks.0.feed_forward.down.weight"), 0.02 / std::sqrt(4.0), 0.0004);
    EXPECT_NEAR(named(model, "embedding.weight").value.mean().item<double>(), 0, 0.0004);
    EXPECT_EQ(spread("blocks.0.attention.norm.weight"), 1);
    EXPECT_EQ(spread("blocks.0.attention.query_norm.weight"), 1);
    EXPECT_EQ(spread("blocks.0.feed_forward.up.bias"), 0);
}

TEST(Transformer, InitialWeightsDependOnTheSeedAlone) {
    const int threads = at::get_num_threads();
    std::vector<at::Tensor> embeddings;
    for (const int count : {1, 2, 3}) {
        at::set_num_threads(count);
        Transformer model(smallConfig(), at::kFloat);
        model.initialise(42);
        embeddings.push_back(named(model, "embedding.weight").value);
    }
    at::set_num_threads(threads);
    EXPECT_TRUE(at::equal(embeddings[0], embeddings[1]));
    EXPECT_TRUE(at::equal(embeddings[0], embeddings[2]));
    Transformer other(smallConfig(), at::kFloat);
    other.initialise(43);
    EXPECT_FALSE(at::equal(embeddings[0], named(other, "embedding.weight").value));
    // Never renumbered: old runs must start from the same weights.
    const NormalPair pair = initialNormals(NoiseKeys(42), 0, 0);
    EXPECT_FLOAT_EQ(embeddings[0].flatten()[0].item<float>(), static_cast<float>(0.02 * pair.first));
    EXPECT_FLOAT_EQ(embeddings[0].flatten()[1].item<float>(), static_cast<float>(0.02 * pair.second));
}

TEST(Transformer, ParametersAreSlicesOfTheirSlabs) {
    Transformer model(smallConfig(), at::kDouble);
    model.initialise(1);
    int64_t elements = 0;
    for (const NamedParameter& parameter : model.namedParameters()) {
        const Slab& slab = model.slabs()[static_cast<size_t>(parameter.slab)];
        const at::Tensor slice = slab.values.narrow(0, parameter.offset, parameter.value.numel());
        EXPECT_TRUE(at::equal(slice, parameter.value.flatten())) << parameter.name;
        EXPECT_EQ(slice.data_ptr(), parameter.value.data_ptr()) << parameter.name;
        elements += parameter.value.numel();
    }
    EXPECT_EQ(elements, countParameters(smallConfig()).total);
}

TEST(Transformer, ImpossibleShapesAreRefusedInWords) {
    const auto refusal = [](void (*change)(ModelConfig&)) -> std::string {
        ModelConfig config = smallConfig();
        change(config);
        try {
            const Transformer model(config, at::kFloat);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal([](ModelConfig& c) { c.heads = 5; }), "[model] 5 heads do not divide the width of 32");
    EXPECT_NE(refusal([](ModelConfig& c) { c.keyValueHeads = 3; }), "");
    EXPECT_NE(refusal([](ModelConfig& c) { c.heads = 32; }), "");
    EXPECT_NE(refusal([](ModelConfig& c) { c.vocabularySize = 0; }), "");
}

}  // namespace
}  // namespace unmask
