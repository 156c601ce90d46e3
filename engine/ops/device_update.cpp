// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/device_update.h"

#include "engine/ops/checks.h"
#include "engine/ops/cuda/kernels.h"

namespace unmask {

using ops::require;

void deviceUpdate(const std::vector<Slab>& slabs, const DeviceUpdateArgs& args) {
    const char* op = "device update";
    require(args.masters.size() == slabs.size() && args.m.size() == slabs.size() && args.v.size() == slabs.size(), op,
            "masters and moments must be one a slab");
    require(args.partials.numel() >= static_cast<int64_t>(slabs.size()) * deviceNormPartials(), op,
            "too few partial sums for the norm");
    require(args.scalars.numel() >= deviceScalarBytes() && args.sums.numel() == 2, op, "scalars or sums are missing");
    cuda::deviceUpdate(slabs, args);
}

int64_t deviceScalarBytes() {
    return cuda::deviceScalarBytes();
}
int64_t deviceNormPartials() {
    return cuda::deviceNormPartials();
}

void recordStep(const StepRecordArgs& args) {
    require(args.rowLosses.numel() == args.weights.numel() && args.sums.numel() == 2, "step record",
            "losses and weights must be one a row");
    cuda::recordStep(args);
}

void closeStep(const at::Tensor& scalars, const at::Tensor& sums, const at::Tensor& ring, const at::Tensor& counter) {
    require(ring.numel() % static_cast<int64_t>(sizeof(StepRecord)) == 0 && ring.numel() > 0, "step record",
            "the ring must hold whole records");
    cuda::closeStep(scalars, sums, ring, counter);
}

}  // namespace unmask
