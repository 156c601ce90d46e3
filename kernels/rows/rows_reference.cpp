// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "kernels/common/host_values.h"
#include "kernels/rows/rows.h"

namespace unmask::kernels {

Status gatherRowsReference(const GatherArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.C; ++c) {
            const bool inside = a.index[r] >= 0 && a.index[r] < a.limit;
            setValue(a.out, r * a.C + c, a.dtype,
                     inside ? valueAt(a.table, int64_t{a.index[r]} * a.C + c, a.dtype) : 0);
        }
    return {};
}

Status scatterRowsReference(const ScatterArgs& a) {
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.C && a.index[r] >= 0; ++c) {
            const int64_t at = int64_t{a.index[r]} * a.C + c;
            const double old = a.add ? valueAt(a.out, at, a.dtype) : 0;
            setValue(a.out, at, a.dtype, old + valueAt(a.x, r * a.C + c, a.dtype));
        }
    return {};
}

Status embeddingBackwardReference(const EmbeddingBackwardArgs& a) {
    std::vector<double> sums(static_cast<size_t>(a.vocabulary) * static_cast<size_t>(a.C));
    for (int64_t r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.C && a.tokens[r] >= 0 && a.tokens[r] < a.vocabulary; ++c)
            sums[static_cast<size_t>(int64_t{a.tokens[r]} * a.C + c)] += valueAt(a.gradient, r * a.C + c, a.dtype);
    for (size_t i = 0; i < sums.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        setValue(a.weightGradient, at, a.weightDtype, valueAt(a.weightGradient, at, a.weightDtype) + sums[i]);
    }
    return {};
}

}  // namespace unmask::kernels
