// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include "engine/base/noise_keys.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "kernels/adamw/adamw.h"
#include "kernels/clear/clear.h"
#include "kernels/step_record/step_record.h"

namespace unmask::cuda {

namespace {

using kernels::UpdateScalars;

// The host writes StepScalars over the first bytes of the kernel's scalars, and reads the ring as StepRecords.
static_assert(offsetof(UpdateScalars, learningRate) == offsetof(StepScalars, learningRate) &&
              offsetof(UpdateScalars, biasCorrection1) == offsetof(StepScalars, biasCorrection1) &&
              offsetof(UpdateScalars, biasCorrection2) == offsetof(StepScalars, biasCorrection2) &&
              offsetof(UpdateScalars, dynamicScale) == offsetof(StepScalars, dynamicScale) &&
              offsetof(UpdateScalars, update) == offsetof(StepScalars, update) &&
              offsetof(UpdateScalars, norm) == sizeof(StepScalars));
static_assert(sizeof(kernels::StepFigures) == sizeof(StepRecord) &&
              offsetof(kernels::StepFigures, loss) == offsetof(StepRecord, loss) &&
              offsetof(kernels::StepFigures, crossEntropySum) == offsetof(StepRecord, crossEntropySum) &&
              offsetof(kernels::StepFigures, gradientNorm) == offsetof(StepRecord, gradientNorm) &&
              offsetof(kernels::StepFigures, applied) == offsetof(StepRecord, applied) &&
              offsetof(kernels::StepFigures, gradientScale) == offsetof(StepRecord, gradientScale));

UpdateScalars* scalarsOf(const at::Tensor& tensor) {
    return static_cast<UpdateScalars*>(tensor.data_ptr());
}

void measureNorm(const std::vector<Slab>& slabs, const DeviceUpdateArgs& args) {
    std::vector<kernels::NormSlab> list;
    for (const Slab& slab : slabs)
        list.push_back({pointer(slab.gradients), slab.gradients.numel()});
    check(kernels::gradientNorm({.slabs = list.data(),
                                 .slabCount = static_cast<int>(list.size()),
                                 .partials = pointer<double>(args.partials),
                                 .loss = pointer<double>(args.sums),
                                 .clip = static_cast<float>(args.clip),
                                 .scalars = scalarsOf(args.scalars),
                                 .dtype = dtypeOf(slabs[0].gradients)},
                                currentStream()));
}

}  // namespace

void deviceUpdate(const std::vector<Slab>& slabs, const DeviceUpdateArgs& args) {
    measureNorm(slabs, args);
    std::vector<kernels::AdamWSlab> list;
    for (size_t i = 0; i < slabs.size(); ++i) {
        const Slab& slab = slabs[i];
        list.push_back({.weights = pointer(slab.values),
                        .master = pointer<float>(slab.masters),
                        .gradients = pointer(slab.gradients),
                        .m = pointer(args.m[i]),
                        .v = pointer(args.v[i]),
                        .count = slab.values.numel(),
                        .matrixElements = slab.matrixElements});
    }
    check(kernels::adamw({.slabs = list.data(),
                          .slabCount = static_cast<int>(list.size()),
                          .scalars = scalarsOf(args.scalars),
                          .beta1 = static_cast<float>(args.beta1),
                          .beta2 = static_cast<float>(args.beta2),
                          .epsilon = static_cast<float>(args.epsilon),
                          .weightDecay = static_cast<float>(args.weightDecay),
                          .dtype = dtypeOf(slabs[0].values),
                          .gradientDtype = dtypeOf(slabs[0].gradients),
                          .momentDtype = dtypeOf(args.m[0]),
                          .seed = args.seed,
                          .tag = static_cast<uint32_t>(NoiseTag::rounding)},
                         currentStream()));
}

void zeroGradients(const std::vector<Slab>& slabs) {
    std::vector<kernels::MemoryPiece> pieces;
    for (const Slab& slab : slabs)
        pieces.push_back({slab.gradients.data_ptr(), slab.gradients.nbytes()});
    check(kernels::clearMemory(pieces.data(), static_cast<int>(pieces.size()), currentStream()));
}

void recordStep(const StepRecordArgs& args) {
    check(kernels::addStepLosses({.rowLosses = pointer<double>(args.rowLosses),
                                  .weights = pointer<double>(args.weights),
                                  .sums = pointer<double>(args.sums),
                                  .rows = args.rowLosses.numel()},
                                 currentStream()));
}

void closeStep(const at::Tensor& scalars, const at::Tensor& sums, const at::Tensor& ring, const at::Tensor& counter) {
    check(kernels::closeStep({.scalars = scalarsOf(scalars),
                              .sums = pointer<double>(sums),
                              .ring = static_cast<kernels::StepFigures*>(ring.data_ptr()),
                              .counter = pointer<int64_t>(counter),
                              .entries = ring.numel() / static_cast<int64_t>(sizeof(StepRecord))},
                             currentStream()));
}

int64_t deviceScalarBytes() {
    return sizeof(UpdateScalars);
}
int64_t gradientScaleOffset() {
    return offsetof(UpdateScalars, gradientScale);
}
int64_t deviceNormPartials() {
    return kernels::normPartials(1);
}

}  // namespace unmask::cuda
