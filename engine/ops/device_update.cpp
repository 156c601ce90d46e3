// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/device_update.h"

#include <cstring>

#include "engine/ops/checks.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/op_times.h"

namespace unmask {

using ops::require;

void deviceUpdate(const std::vector<Slab>& slabs, const DeviceUpdateArgs& args) {
    const char* op = "device update";
    require(!slabs.empty() && args.m.size() == slabs.size() && args.v.size() == slabs.size(), op,
            "moments must be one a slab");
    const auto alike = [](const at::Tensor& a, const at::Tensor& b) {
        return a.defined() == b.defined() && (!a.defined() || a.scalar_type() == b.scalar_type());
    };
    for (size_t i = 0; i < slabs.size(); ++i) {
        const Slab& slab = slabs[i];
        const int64_t n = slab.values.numel();
        require(ops::isVector(slab.values, n) && ops::isVector(slab.gradients, n) && ops::isVector(args.m[i], n) &&
                    ops::isVector(args.v[i], n) && (!slab.masters.defined() || ops::isVector(slab.masters, n)),
                op, "slab, masters, gradients and moments must have one length");
        require(alike(slab.values, slabs[0].values) && alike(slab.masters, slabs[0].masters) &&
                    alike(slab.gradients, slabs[0].gradients) && alike(args.m[i], args.m[0]) &&
                    alike(args.v[i], args.m[0]),
                op, "all slabs must have the same types");
    }
    require(args.partials.numel() >= static_cast<int64_t>(slabs.size()) * deviceNormPartials(), op,
            "too few partial sums for the norm");
    require(args.scalars.numel() >= deviceScalarBytes() && args.sums.numel() == 2, op, "scalars or sums are missing");
    ops::timed([] { return std::string("update"); }, [&] { cuda::deviceUpdate(slabs, args); });
}

void zeroGradients(const std::vector<Slab>& slabs) {
    for (const Slab& slab : slabs)
        require(slab.gradients.defined() && slab.gradients.is_contiguous(), "gradients", "a slab has none");
    if (!slabs.empty() && slabs.front().gradients.is_cuda())
        return cuda::zeroGradients(slabs);
    for (const Slab& slab : slabs)
        std::memset(slab.gradients.data_ptr(), 0, slab.gradients.nbytes());
}

int64_t deviceScalarBytes() {
    return cuda::deviceScalarBytes();
}
at::Tensor gradientScaleOf(const at::Tensor& scalars) {
    constexpr auto size = static_cast<int64_t>(sizeof(float));
    return scalars.narrow(0, cuda::gradientScaleOffset(), size).view(at::kFloat);
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
    require(sums.numel() == 2 && counter.numel() == 1 && counter.scalar_type() == at::kLong, "step record",
            "sums or counter have the wrong shape");
    cuda::closeStep(scalars, sums, ring, counter);
}

}  // namespace unmask
