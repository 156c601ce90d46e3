// SPDX-License-Identifier: Apache-2.0
#include "engine/model/fp8_scales.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/model/transformer.h"
#include "engine/ops/fp8.h"

namespace unmask {
namespace {

TEST(Fp8Scales, EntriesAreRowsOfOneTable) {
    Fp8Scales scales(2, at::kCPU);
    const at::Tensor first = scales.take();
    first.fill_(1);
    scales.take().fill_(2);
    EXPECT_EQ(scales.table().size(1), kFp8ScaleFloats);
    EXPECT_EQ(scales.table()[0][3].item<float>(), 1);
    EXPECT_EQ(scales.table()[1][0].item<float>(), 2);
    EXPECT_THROW(scales.take(), Error);
}

TEST(Fp8Scales, AModelHasOneForEachTensorOfItsProducts) {
    ModelConfig config;
    config.layers = 3;
    config.width = 32;
    config.heads = 2;
    config.feedForwardWidth = 48;
    config.vocabularySize = 128;
    EXPECT_FALSE(Transformer(config, at::kFloat).fp8Scales().defined());
    const Transformer model(config, ModelStorage{.type = at::kBFloat16, .fp8 = true});
    EXPECT_EQ(model.fp8Scales().size(0), 3 * (3 * 4 + 1))
        << "the queries of the last block have a product of their own";
}

TEST(Transformer, WithoutMastersTheWeightsAreTheirOwn) {
    ModelConfig config;
    config.layers = 1;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 16;
    config.vocabularySize = 128;
    Transformer exact(config, at::kFloat);
    Transformer compact(config, ModelStorage{.type = at::kBFloat16, .masters = false});
    exact.initialise(5);
    compact.initialise(5);
    for (size_t i = 0; i < exact.namedParameters().size(); ++i) {
        const NamedParameter& parameter = compact.namedParameters()[i];
        EXPECT_TRUE(parameter.exact.is_same(parameter.value));
        EXPECT_TRUE(parameter.value.equal(exact.namedParameters()[i].value.to(at::kBFloat16))) << parameter.name;
    }
}

}  // namespace
}  // namespace unmask
