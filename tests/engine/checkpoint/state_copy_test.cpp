// SPDX-License-Identifier: Apache-2.0
// Copies are complete at once, and a state goes only into a model that it fits.
#include "engine/checkpoint/state_copy.h"

#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/engine/checkpoint/checkpoint_attempt.h"

namespace unmask {
namespace {
using test::Attempt;
using test::foldersOf;
using test::kRunId;
using test::stateOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(StateCopy, aModelOfAnotherShapeIsRefusedAndNothingIsRenamed) {
    const test::TempRun run;
    { Attempt(run).save(5); }
    CheckpointStore store(run, {}, kRunId);
    const auto loaded = store.loadNewest();
    const auto refusal = [&](TrainingStateView target) -> std::string {
        try {
            restoreState(*loaded, target);
            return "accepted";
        } catch (const Error& error) {
            return error.what();
        }
    };
    TrainingStateView target = stateOf(0);
    target.weights[0].tensor = at::zeros({4, 4});
    EXPECT_THAT(refusal(target), HasSubstr("embedding is [4, 3], the model needs [4, 4]"));
    target = stateOf(0);
    target.weights[1].tensor = at::zeros({3, 3});
    EXPECT_THAT(refusal(target), HasSubstr("blocks.0.query is Double, the model needs Float"));
    target = stateOf(0);
    target.weights[0].name = "other";
    EXPECT_THAT(refusal(target), HasSubstr("it has no tensor other"));
    target = stateOf(0);
    target.weights.pop_back();
    EXPECT_THAT(refusal(target), HasSubstr("the model has no tensor blocks.0.query"));
    EXPECT_EQ(target.weights[0].tensor.sum().item<double>(), 0) << "nothing was copied";
    EXPECT_THAT(foldersOf(run), ElementsAre("step-5"));
}

TEST(StateCopy, narrowFloatsFitIntoWiderOnes) {
    const test::TempRun run;
    TrainingStateView narrow = stateOf(3);
    for (NamedTensor& weight : narrow.weights)
        weight.tensor = weight.tensor.to(at::kBFloat16);
    LoadedCheckpoint loaded;
    loaded.weights = narrow.weights;
    TrainingStateView target = stateOf(0);
    restoreWeights(loaded, target.weights);
    for (size_t i = 0; i < target.weights.size(); ++i)
        EXPECT_TRUE(
            target.weights[i].tensor.equal(narrow.weights[i].tensor.to(target.weights[i].tensor.scalar_type())));
}

TEST(StateCopy, hostBuffersHoldTheValuesOfTheCall) {
    HostState host;
    TrainingStateView state = stateOf(3);
    state.weights[1].tensor = state.weights[1].tensor.t();  // not contiguous
    host.copy(state);
    for (auto& tensor : state.weights)
        tensor.tensor.zero_();
    const auto& parts = host.parts();
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].file, kWeightsFile);
    EXPECT_EQ(parts[0].tensors[0].shape, (std::vector<int64_t>{4, 3}));
    float first = 0;
    std::memcpy(&first, parts[0].tensors[0].data.get(), sizeof first);
    EXPECT_EQ(first, 3.0f);
    EXPECT_EQ(parts[1].tensors[1].type, TensorType::bfloat16);
    const void* before = parts[0].tensors[0].data.get();
    host.copy(stateOf(4));
    EXPECT_EQ(host.parts()[0].tensors[0].data.get(), before) << "buffers are used again";
}

}  // namespace
}  // namespace unmask
