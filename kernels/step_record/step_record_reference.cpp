// SPDX-License-Identifier: Apache-2.0
#include "kernels/step_record/step_record.h"

namespace unmask::kernels {

Status addStepLossesReference(const StepLossArgs& a) {
    for (int64_t row = 0; row < a.rows; ++row)
        if (a.weights[row] != 0) {
            a.sums[0] += a.weights[row] * a.rowLosses[row];
            a.sums[1] += a.rowLosses[row];
        }
    return {};
}

Status closeStepReference(const CloseStepArgs& a) {
    a.ring[*a.counter % a.entries] = {a.sums[0], a.sums[1], a.scalars->norm, a.scalars->finite,
                                      a.scalars->gradientScale};
    ++*a.counter;
    a.sums[0] = a.sums[1] = 0;
    return {};
}

}  // namespace unmask::kernels
