// SPDX-License-Identifier: Apache-2.0
// How busy the experts of a model were since the beginning of a step, and the bias that follows it: Wang et al. 2024,
// "Auxiliary-loss-free load balancing". The bias lies in the slabs among the weights, so that checkpoints hold it; its
// gradient is always zero, so an update of the optimizer leaves it alone.
#pragma once

#include <optional>

#include "engine/model/transformer.h"

namespace unmask {

struct ExpertFigures {
    double balanceLoss = 0;   // mean over sparse blocks; 1 when all experts are equally busy
    double largestShare = 0;  // of a block's routes, the busiest expert of all blocks
    double droppedShare = 0;  // of all routes
};

void clearExpertLoads(const Transformer& model);
std::optional<ExpertFigures> expertFigures(const Transformer& model);  // none in a dense model, or before any step
// With balance `bias`: experts that were chosen less than others become likelier by the balance coefficient, and the
// other way round. Else nothing.
void stepExpertBiases(const Transformer& model);

}  // namespace unmask
