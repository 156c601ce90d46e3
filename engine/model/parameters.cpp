// SPDX-License-Identifier: Apache-2.0
#include "engine/model/parameters.h"

#include <ATen/ops/as_strided.h>

#include "engine/base/error.h"

namespace unmask {

const ParameterShape* SlabBinding::find(const std::string& name) const {
    for (const ParameterShape& parameter : m_shape.parameters)
        if (parameter.name == name)
            return &parameter;
    return nullptr;
}

Weight SlabBinding::joined(const std::vector<std::string>& names) const {
    const ParameterShape* first = find(names.front());
    if (first == nullptr)
        return {};
    int64_t rows = 0;
    int64_t end = first->offset;
    for (const std::string& name : names) {
        const ParameterShape* parameter = find(name);
        if (parameter == nullptr || parameter->offset != end)
            throw Error{ErrorCode::internal, "[model] " + name + " does not follow " + names.front() + " in its slab"};
        rows += parameter->rows;
        end += parameter->elements();
    }
    const auto view = [&](const at::Tensor& flat) {
        if (!flat.defined())
            return at::Tensor{};
        return first->columns == 0 ? flat.narrow(0, first->offset, rows)
                                   : at::as_strided(flat, {rows, first->columns}, {first->columns, 1},
                                                    flat.storage_offset() + first->offset);
    };
    return {view(m_slab.values), view(m_slab.gradients)};
}

}  // namespace unmask
