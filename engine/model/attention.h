// SPDX-License-Identifier: Apache-2.0
// x + output(attention(rotary(query, key), value)) of norm(x). In the last block only scored rows are queries, since
// nothing reads the others; the stream then goes on with R rows.
#pragma once

#include "engine/model/linear.h"
#include "engine/model/norm.h"
#include "engine/protocol/model_config.h"

namespace unmask {

enum class Queries { all, scored };

class Attention final : public Layer {
 public:
    Attention(const ModelConfig& config, const SlabBinding& slab, const std::string& prefix, Queries queries);

    Stream forward(const Stream& in, SavedBuffers& saved, const StepContext& context) const override;
    at::Tensor backward(const at::Tensor& gradient, SavedBuffers& saved, const StepContext& context,
                        BackwardPart part) const override;

 private:
    struct Heads {
        at::Tensor query, key, value;  // rows may be strided
    };
    Heads heads(const at::Tensor& query, const at::Tensor& projected) const;
    bool turnsTogether() const;
    // Where the backward pass of the heads leaves its gradients.
    struct Gradients {
        at::Tensor query;      // (R, C); last block only
        at::Tensor projected;  // as BlockBuffer::projected
    };
    Gradients gradients(const SavedBuffers& saved, const StepContext& context) const;
    Norm::Buffers normBuffers(const SavedBuffers& saved) const;
    void project(SavedBuffers& saved, const StepContext& context) const;
    void rotate(SavedBuffers& saved, const StepContext& context) const;
    void rotateBack(SavedBuffers& saved, const StepContext& context) const;
    void attendBack(const ResultGradient& gradient, SavedBuffers& saved, const StepContext& context) const;
    at::Tensor queryBack(const at::Tensor& gradient, const at::Tensor& gradientNormed, const SavedBuffers& saved,
                         const StepContext& context, BackwardPart part) const;
    at::Tensor projectBack(const at::Tensor& gradient, const SavedBuffers& saved, const StepContext& context,
                           BackwardPart part) const;

    ModelConfig m_config;
    int64_t m_queryWidth;  // of the heads held here, like the next
    int64_t m_keyWidth;
    Queries m_queries;
    Norm m_norm;
    Linear m_projection;  // query ‖ key ‖ value, or key ‖ value in the last block
    Linear m_query;       // last block only
    Weight m_queryNorm, m_keyNorm;
    Linear m_output;
};

}  // namespace unmask
