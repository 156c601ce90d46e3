// SPDX-License-Identifier: Apache-2.0
// The list of optimizers; a new one is a line here.
#include "engine/base/error.h"
#include "engine/optimizer/adamw.h"
#include "engine/optimizer/gpu_adamw.h"

namespace unmask {

void Optimizer::sumSquaresBy(std::function<double(double squares)>) {
    throw Error{ErrorCode::internal, "[optimizer] this optimizer works on whole slabs"};
}

const std::vector<OptimizerEntry>& allOptimizers() {
    static const std::vector<OptimizerEntry> list{
        {OptimizerKind::adamw, wordOf(OptimizerKind::adamw),
         [](const OptimizerConfig& config, const std::vector<Slab>& slabs) -> std::unique_ptr<Optimizer> {
             if (slabs.front().values.is_cuda())
                 return std::make_unique<GpuAdamW>(config, slabs);
             return std::make_unique<AdamW>(slabs);
         }}};
    return list;
}

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerConfig& config, const std::vector<Slab>& slabs) {
    for (const OptimizerEntry& entry : allOptimizers())
        if (entry.kind == config.kind)
            return entry.make(config, slabs);
    throw Error{ErrorCode::internal, "[optimizer] the registry does not have " + std::string(wordOf(config.kind))};
}

}  // namespace unmask
