// SPDX-License-Identifier: Apache-2.0
// In place of cuda/device.cpp, in a build without a GPU half.
#include "engine/base/error.h"
#include "engine/ops/device.h"

namespace unmask {

namespace {

[[noreturn]] void refuse() {
    throw Error{ErrorCode::badInput, "[gpu] " + gpuProblem()};
}

}  // namespace

std::string gpuProblem() {
    return "this build computes on the CPU only";
}

GpuInfo gpuInfo() {
    refuse();
}
bool gpuMultipliesFp8() {
    return false;
}
void openGpu() {
    refuse();
}
void waitForGpu() {}
at::Tensor pinnedBytes(int64_t) {
    refuse();
}
void copyAsync(const at::Tensor&, const at::Tensor&) {
    refuse();
}

struct GpuEvent::State {};
GpuEvent::GpuEvent() = default;
GpuEvent::~GpuEvent() = default;
GpuEvent::GpuEvent(GpuEvent&&) noexcept = default;
GpuEvent& GpuEvent::operator=(GpuEvent&&) noexcept = default;
void GpuEvent::record() {
    refuse();
}
bool GpuEvent::reached() const {
    return true;
}
void GpuEvent::wait() const {}
double GpuEvent::secondsSince(const GpuEvent&) const {
    refuse();
}

struct GpuGraph::State {};
GpuGraph::GpuGraph(const std::function<void()>&) {
    refuse();
}
GpuGraph::~GpuGraph() = default;
void GpuGraph::launch() const {
    refuse();
}

}  // namespace unmask
