// SPDX-License-Identifier: Apache-2.0
#include "kernels/column_sums/column_sums.h"
#include "kernels/common/host_values.h"

namespace unmask::kernels {

Status columnSumsReference(const ColumnSumsArgs& a) {
    for (int column = 0; column < a.C; ++column) {
        double sum = valueAt(a.sums, column, a.sumsDtype);
        for (int64_t row = 0; row < a.rows; ++row)
            sum += valueAt(a.x, row * a.stride + column, a.dtype);
        setValue(a.sums, column, a.sumsDtype, sum);
    }
    return {};
}

}  // namespace unmask::kernels
