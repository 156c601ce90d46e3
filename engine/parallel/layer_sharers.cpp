// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/layer_sharers.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace unmask {

void LayerSharers::watch(const Transformer& model, const std::vector<at::Tensor>& gradients,
                         const std::vector<int64_t>& begins) {
    m_repeated.clear();
    int64_t elements = 0;
    for (const NamedParameter& parameter : model.namedParameters()) {
        if (!parameter.slice.repeated)
            continue;
        const auto slab = static_cast<size_t>(parameter.slab);
        const int64_t begin = std::max<int64_t>(parameter.offset - begins[slab], 0);
        const int64_t end =
            std::min(parameter.offset + parameter.value.numel() - begins[slab], gradients[slab].numel());
        if (begin >= end)
            continue;  // in another copy's keeping
        m_repeated.push_back({gradients[slab].narrow(0, begin, end - begin), parameter.slice.partial});
        elements += end - begin;
    }
    m_settled = at::empty({elements}, gradients.front().options());
}

void LayerSharers::settleRepeated() {
    int64_t end = 0;
    for (const Repeated& each : m_repeated) {
        const at::Tensor place = m_settled.narrow(0, end, each.gradient.numel());
        end += each.gradient.numel();
        if (each.partial || part() == 0)
            place.copy_(each.gradient);
        else
            place.zero_();
    }
    m_group.sum(m_settled);
    end = 0;
    for (const Repeated& each : m_repeated) {
        each.gradient.copy_(m_settled.narrow(0, end, each.gradient.numel()));
        end += each.gradient.numel();
    }
}

double LayerSharers::squaresCountedElsewhere() const {
    if (part() == 0)
        return 0;
    const at::Tensor exact = m_settled.to(at::kDouble);
    return at::dot(exact, exact).item<double>();
}

at::Tensor LayerSharers::whole(const ParameterSlice& slice, const at::Tensor& own) const {
    if (slice.dimension < 0)
        return own.clone();
    const at::Tensor all = at::empty({m_group.size() * own.numel()}, own.options());
    m_group.gather(own.reshape({-1}), all);
    std::vector<int64_t> shape = own.sizes().vec();
    shape.insert(shape.begin(), m_group.size());
    const std::vector<at::Tensor> slices = all.view(shape).unbind(0);
    return at::cat(slices, slice.dimension);
}

at::Tensor sliceOf(const at::Tensor& whole, const ParameterSlice& slice, int64_t parts) {
    if (slice.dimension < 0)
        return whole;
    return whole.narrow(slice.dimension, slice.begin, whole.size(slice.dimension) / parts);
}

}  // namespace unmask
