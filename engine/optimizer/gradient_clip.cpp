// SPDX-License-Identifier: Apache-2.0
#include "engine/optimizer/gradient_clip.h"

namespace unmask {

double clipFactor(double norm, double limit) {
    return limit > 0 && norm > limit ? limit / norm : 1;
}

}  // namespace unmask
