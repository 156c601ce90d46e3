// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/model_input.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace unmask {

namespace {

template <class To, class From>
at::Tensor tensorOf(std::span<const From> values, at::ScalarType type) {
    at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, at::TensorOptions().dtype(type));
    std::transform(values.begin(), values.end(), tensor.mutable_data_ptr<To>(),
                   [](From value) { return static_cast<To>(value); });
    return tensor;
}

}  // namespace

ModelInput modelInput(const NoisyBatch& noisy, const MicroBatch& batch) {
    ModelInput input;
    input.step.tokens = tensorOf<int32_t, int32_t>(noisy.tokens, at::kInt);
    input.step.scoredRows = tensorOf<int64_t, int32_t>(noisy.maskedRows, at::kLong);
    input.step.segments = {.rows = batch.rows, .length = batch.length};
    for (const SampleSlot& slot : batch.slots)
        if (slot.length > 0)
            input.step.segments.segments.push_back({slot.row * batch.length + slot.begin, slot.length});
    input.targets = tensorOf<int64_t, int32_t>(noisy.targets, at::kLong);
    input.weights = tensorOf<double, double>(noisy.weights, at::kDouble);
    return input;
}

StepInput sequenceInput(std::span<const int32_t> tokens, std::span<const int32_t> scoredPositions) {
    return {.tokens = tensorOf<int32_t, int32_t>(tokens, at::kInt),
            .segments = SegmentLayout::wholeRows(1, static_cast<int64_t>(tokens.size())),
            .scoredRows = tensorOf<int64_t, int32_t>(scoredPositions, at::kLong)};
}

}  // namespace unmask
