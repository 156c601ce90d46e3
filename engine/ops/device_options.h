// SPDX-License-Identifier: Apache-2.0
// What all GPU ops of the process go by. Set once by whoever prepares the device, before the first op.
#pragma once

#include "engine/protocol/training_config.h"

namespace unmask {

struct DeviceOptions {
    bool deterministic = false;  // the same bits from run to run, where that costs speed (attention's backward pass)
    bool graphs = true;          // work of a known layout is captured and launched at once
    bool allowTf32 = false;      // fp32 products may round their factors to 10 bits of mantissa
    unsigned exactOps = 0;       // a bit for each of kExactOpNames: computed in float whatever the storage type

    bool exact(ExactOp op) const { return (exactOps >> static_cast<unsigned>(op) & 1) != 0; }
};
inline DeviceOptions& deviceOptions() {
    static DeviceOptions options;
    return options;
}

}  // namespace unmask
