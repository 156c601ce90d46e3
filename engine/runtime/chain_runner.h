// SPDX-License-Identifier: Apache-2.0
// Walks the chain embedding → blocks → head over an arena planned once: forward and backward for training, forward
// alone for validation and sampling. Results of a model on a GPU come back as tensors on the host. Only scored rows
// reach the head, and only they are queries of the last block.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model/segment_layout.h"
#include "engine/model/transformer.h"
#include "engine/ops/device_update.h"
#include "engine/ops/masked_cross_entropy.h"
#include "engine/ops/slab_traffic.h"
#include "engine/ops/stage_links.h"
#include "engine/ops/tensor_group.h"
#include "engine/planner/layer_memory.h"
#include "engine/planner/pipeline_schedule.h"

namespace unmask {

struct RunnerOptions {
    int64_t rows = 0;    // largest micro-batch
    int64_t length = 0;  // tokens a row
    BlockPolicy policy = BlockPolicy::keep;
    bool training = true;        // false plans no backward: forwardBackward is refused
    VocabularyLimit vocabulary;  // ids that get no probability
    double zLoss = 0;
    // Of a part of the layers: what its stage of a pipeline carries out at most in a step.
    std::optional<PipelineShape> pipeline;
    int64_t stage = 0;

    LossOptions loss() const { return {vocabulary, zLoss, {}}; }
};

// A micro-batch as the model sees it. Any shape up to the planned number of tokens.
struct StepInput {
    at::Tensor tokens;  // (rows·length) or (rows, length), int32 or int64
    SegmentLayout segments;
    at::Tensor scoredRows;  // (R) int64, ascending flat indices of positions whose logits are wanted
    double share = 1;       // of the step's batch, see StepContext
};

struct StepLoss {
    double loss = 0;       // Σ weight · ℓ
    at::Tensor rowLosses;  // (R) float64, ℓ in nats; overwritten by the next call
    bool finite() const;
};

// One of a step's micro-batches on its way through a pipeline.
struct StageBatch {
    StepInput input;
    at::Tensor targets, weights;                                              // as for forwardBackward
    bool scores() const { return targets.defined() && targets.numel() > 0; }  // else no stage computes it
};

class ChainRunner {
 public:
    ChainRunner(Transformer& model, const RunnerOptions& options);
    ~ChainRunner();

    // Gradients of Σ weight · ℓ are added to the slabs. targets (R) int64, weights (R) float64.
    StepLoss forwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights);
    // The same on a GPU, queued: nobody waits. Losses are added to the sums of `step`. From the second batch
    // of a layout on it is one graph launch.
    void queueForwardBackward(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights,
                              const DeviceStep& step);
    // ℓ of each scored row, (R) float64, for validation.
    at::Tensor rowLosses(const StepInput& input, const at::Tensor& targets);
    // (R, V) in the model's type, excluded ids −inf; a fresh tensor. For sampling.
    at::Tensor logits(const StepInput& input);

    // Every walk from now on tells `traffic` where it is. Not on a GPU yet.
    void setTraffic(SlabTraffic* traffic);
    // The devices that have the other slices of the model's layers, as many as its part says; they walk at the same
    // time over the same batches. Must be set where the model is a part.
    void shareLayers(TensorGroup* sharers);
    // The other stages, where the model has some of the layers; all of them then run the same calls over the same
    // batches, and every stage has the results of the last.
    void linkStages(StageLinks* links);
    // All micro-batches of a step, in the order of the pipeline's schedule. Losses are the last stage's, 0 on others.
    std::vector<StepLoss> forwardBackward(const std::vector<StageBatch>& batches);

    // What stands for forwardBackward, or for rowLosses and logits, on a device that has nothing to compute.
    void passForwardBackward();
    void passForward();

    int64_t arenaBytes() const;  // equals stepMemory(...).total() of the planner

 private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace unmask
