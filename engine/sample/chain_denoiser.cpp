// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/chain_denoiser.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace unmask {

Denoiser denoiserOf(ChainRunner& runner) {
    return [&runner](std::span<const int32_t> tokens, std::span<const int32_t> positions) {
        std::vector<int32_t> ids(tokens.begin(), tokens.end());
        std::vector<int64_t> rows(positions.begin(), positions.end());
        const auto length = static_cast<int64_t>(ids.size());
        const StepInput input{.tokens = at::from_blob(ids.data(), {length}, at::TensorOptions().dtype(at::kInt)),
                              .segments = SegmentLayout::wholeRows(1, length),
                              .scoredRows = at::from_blob(rows.data(), {static_cast<int64_t>(rows.size())},
                                                          at::TensorOptions().dtype(at::kLong))};
        const at::Tensor logits_RV = runner.logits(input).to(at::kFloat).contiguous();
        return std::vector<float>(logits_RV.const_data_ptr<float>(),
                                  logits_RV.const_data_ptr<float>() + logits_RV.numel());
    };
}

}  // namespace unmask
