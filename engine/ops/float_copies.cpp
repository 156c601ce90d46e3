// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/float_copies.h"

#include <algorithm>

namespace unmask::ops {

namespace {

bool sameView(const at::Tensor& a, const at::Tensor& b) {
    return a.const_data_ptr() == b.const_data_ptr() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

}  // namespace

void FloatCopies::replace(std::initializer_list<at::Tensor*> tensors) {
    for (at::Tensor* tensor : tensors) {
        if (!tensor->defined() || (tensor->scalar_type() != at::kBFloat16 && tensor->scalar_type() != at::kHalf))
            continue;
        const auto known = std::find_if(m_pairs.begin(), m_pairs.end(),
                                        [&](const auto& pair) { return sameView(pair.first, *tensor); });
        if (known != m_pairs.end()) {
            *tensor = known->second;
            continue;
        }
        m_pairs.emplace_back(*tensor, tensor->to(at::kFloat, false, true, at::MemoryFormat::Contiguous));
        *tensor = m_pairs.back().second;
    }
}

void FloatCopies::writeBack() {
    for (const auto& [original, copy] : m_pairs)
        original.copy_(copy);
}

}  // namespace unmask::ops
