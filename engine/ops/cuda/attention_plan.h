// SPDX-License-Identifier: Apache-2.0
// cuDNN's attention for one shape, built once and kept. Dense: every segment has `longest` tokens, one behind the
// other. Ragged: lengths and offsets of the segments are read on the device.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/attention/attention.h"

namespace unmask::cuda {

struct AttentionKey {
    int64_t segments, longest, heads, groups, headWidth;
    int64_t queryStride, keyStride, outStride;               // of a row, in elements
    int64_t gradientQueryStride = 0, gradientKeyStride = 0;  // 0 in the forward pass
    kernels::DType dtype = kernels::DType::bfloat16;
    bool ragged = false;
    bool deterministic = false;
    auto operator<=>(const AttentionKey&) const = default;
    bool backward() const { return gradientQueryStride > 0; }
};

struct AttentionPointers {
    void *query, *key, *value, *out;
    float* logSumExp;
    void *gradientOut = nullptr, *gradientQuery = nullptr, *gradientKey = nullptr, *gradientValue = nullptr;
    kernels::SegmentTables tables{};  // ragged only
};

class AttentionPlan {
 public:
    // bfloat16 and half. Throws internal where cuDNN has no plan for the shape.
    static const AttentionPlan& get(const AttentionKey& key);
    // Whether cuDNN computes this head width at all.
    static bool takes(int64_t headWidth);

    int64_t workspaceBytes() const;
    void run(const AttentionPointers& pointers, void* workspace) const;

    ~AttentionPlan();

 private:
    struct State;
    explicit AttentionPlan(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace unmask::cuda
