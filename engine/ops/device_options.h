// SPDX-License-Identifier: Apache-2.0
// What all GPU ops of the process go by. Set once by whoever prepares the device, before the first op.
#pragma once

namespace unmask {

struct DeviceOptions {
    bool deterministic = false;  // the same bits from run to run, where that costs speed (attention's backward pass)
    bool graphs = true;          // work of a known layout is captured and launched at once
    bool allowTf32 = false;      // fp32 products may round their factors to 10 bits of mantissa
};
inline DeviceOptions& deviceOptions() {
    static DeviceOptions options;
    return options;
}

}  // namespace unmask
