// SPDX-License-Identifier: Apache-2.0
// ModelConfig → weights in slabs and the chain of layers over them. Holds no activations: those belong to the runner,
// so several runners (training, sampling) may share one model.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/block.h"
#include "engine/model/embedding.h"
#include "engine/model/fp8_scales.h"
#include "engine/model/head.h"
#include "engine/ops/slab.h"
#include "engine/planner/model_part.h"
#include "engine/protocol/model_config.h"

namespace unmask {

struct NamedParameter {
    std::string name;     // "blocks.0.attention.query.weight"
    at::Tensor value;     // view of its slab
    at::Tensor gradient;  // view of its slab's gradients; undefined in a model without gradients
    at::Tensor exact;     // what a checkpoint holds: view of the slab's masters, or `value` itself
    int64_t slab = 0;     // index into slabs()
    int64_t offset = 0;   // elements from the slab's beginning
    ParameterKind kind = ParameterKind::matrix;
    ParameterSlice slice;  // where it lies in the whole model's parameter of this name
};

enum class Gradients { none, allocate };

struct ModelStorage {
    at::ScalarType type = at::kFloat;  // of weights and activations
    bool masters = true;  // 16-bit weights bring float ones along, which updates change and which are saved
    Gradients gradients = Gradients::allocate;
    at::ScalarType gradientType = at::kFloat;
    at::Device device = at::kCPU;
    bool fp8 = false;              // products of the blocks can run in 8 bits
    int64_t slabMultiple = 1;      // lengths of slabs are rounded up to it, so that devices can share them evenly
    bool valueWindows = false;     // blocks take turns in two places: what a walk needs is brought there before
    bool gradientWindows = false;  // the same for gradients
    ModelPart part;                // of the model, that is held here
};

class Transformer {
 public:
    // Vocabulary must be resolved; Error(badInput) where sizes do not divide by the parts. Weights start as zeros; call
    // initialise, or fill the exact ones from a checkpoint and call roundMasters.
    Transformer(const ModelConfig& config, const ModelStorage& storage);
    Transformer(const ModelConfig& config, at::ScalarType type, Gradients gradients = Gradients::allocate)
        : Transformer(config, ModelStorage{.type = type, .gradients = gradients, .gradientType = type}) {}

    // Normal(0, initial_std), residual projections divided by sqrt(2 · layers), norms 1, biases 0. A pure function of
    // (seed, parameter number, element) of the whole model, so threads and layouts do not change it.
    // `filled` is told when a slab is complete.
    void initialise(uint64_t seed, const std::function<void(size_t slab)>& filled = {});
    void roundMasters();  // masters → values, where there are masters
    void zeroGradients();

    const ModelConfig& config() const { return m_config; }
    at::ScalarType type() const { return m_storage.type; }
    at::Device device() const { return m_storage.device; }
    const ModelPart& part() const { return m_storage.part; }
    std::vector<Slab>& slabs() { return m_slabs; }
    const std::vector<NamedParameter>& namedParameters() const { return m_parameters; }

    // (tensors, 4); undefined in a model without fp8
    at::Tensor fp8Scales() const { return m_fp8 ? m_fp8->table() : at::Tensor{}; }

    const Embedding& embedding() const { return *m_embedding; }                     // only where it is held
    const std::vector<std::unique_ptr<Block>>& blocks() const { return m_blocks; }  // those held, in order
    const Head& head() const { return *m_head; }                                    // only where it is held
    size_t slabOfBlock(size_t block) const { return m_firstBlockSlab + block; }
    bool holdsLastBlock() const { return m_blocks.back()->queries() == Queries::scored; }

 private:
    void takeSlabs(const std::vector<SlabShape>& shapes);

    ModelConfig m_config;
    ModelStorage m_storage;
    std::vector<Slab> m_slabs;
    std::vector<NamedParameter> m_parameters;
    size_t m_firstBlockSlab = 1;
    std::unique_ptr<Fp8Scales> m_fp8;
    std::unique_ptr<Embedding> m_embedding;
    std::vector<std::unique_ptr<Block>> m_blocks;
    std::unique_ptr<Head> m_head;
};

}  // namespace unmask
