// SPDX-License-Identifier: Apache-2.0
// What changes the weights. One update: global norm of the gradients, clip, step. A norm that is not finite holds the
// update back: weights, moments and count stay as they are.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/slab.h"
#include "engine/protocol/optimizer_config.h"

namespace unmask {

struct UpdateReport {
    double gradientNorm = 0;  // before clipping
    double clipFactor = 1;
    bool applied = false;  // false: the norm was not finite and nothing changed
};

// One tensor of optimizer state for each slab, of the slab's length.
struct OptimizerState {
    std::string name;               // "adam_m", "adam_v"
    std::vector<at::Tensor> slabs;  // slice at NamedParameter::slab and offset
};

class Optimizer {
 public:
    virtual ~Optimizer() = default;
    // learning_rate, weight_decay and gradient_clip may change between updates, so the config comes with each.
    virtual UpdateReport update(std::vector<Slab>& slabs, const OptimizerConfig& config, double learningRate) = 0;
    // Where devices hold a part of the slabs each: `sum` makes of this device's sum of squares that of all. Before the
    // first update; Error(internal) where the optimizer cannot be shared.
    virtual void sumSquaresBy(std::function<double(double squares)> sum);
    virtual std::vector<OptimizerState>& states() = 0;
    virtual int64_t updates() const = 0;  // applied so far, for bias correction; saved with the states
    virtual void setUpdates(int64_t updates) = 0;
    // The factor that the loss is multiplied by where gradients are fp16, saved with the states; 1 elsewhere.
    virtual double lossScale() const { return 1; }
    virtual void setLossScale(double) {}
};

struct OptimizerEntry {
    OptimizerKind kind;
    std::string_view name;
    std::unique_ptr<Optimizer> (*make)(const OptimizerConfig& config, const std::vector<Slab>& slabs);
};
const std::vector<OptimizerEntry>& allOptimizers();
std::unique_ptr<Optimizer> makeOptimizer(const OptimizerConfig& config, const std::vector<Slab>& slabs);

}  // namespace unmask
