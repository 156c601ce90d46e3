// SPDX-License-Identifier: Apache-2.0
// Clipping by the global gradient norm.
#pragma once

namespace unmask {

// What gradients are multiplied with so that their norm is at most `limit`; a limit of 0 switches clipping off.
double clipFactor(double norm, double limit);

}  // namespace unmask
