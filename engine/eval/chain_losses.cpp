// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/chain_losses.h"

#include <ATen/ops/from_blob.h>

#include "engine/eval/model_input.h"

namespace unmask {

RowLosses lossesOf(ChainRunner& runner) {
    return [&runner](std::span<const int32_t> tokens, std::span<const int32_t> positions,
                     std::span<const int32_t> targets) {
        std::vector<int64_t> wanted(targets.begin(), targets.end());
        const at::Tensor wantedIds =
            at::from_blob(wanted.data(), {static_cast<int64_t>(wanted.size())}, at::TensorOptions().dtype(at::kLong));
        const at::Tensor losses = runner.rowLosses(sequenceInput(tokens, positions), wantedIds).contiguous();
        return std::vector<double>(losses.const_data_ptr<double>(), losses.const_data_ptr<double>() + losses.numel());
    };
}

}  // namespace unmask
