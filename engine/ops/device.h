// SPDX-License-Identifier: Apache-2.0
// The GPU as the engine sees it: one device, one stream that all work is queued on, graphs of captured work, events,
// and memory that it copies from at full speed. A build without a GPU half has them too; there they refuse, in words.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace unmask {

// Empty when a GPU can be used; else why not, as a sentence for people: not built in, no driver, none found, driver too
// old, architecture not built in, held by others.
std::string gpuProblem();

struct GpuInfo {
    std::string name;
    int64_t totalBytes = 0, freeBytes = 0;  // freeBytes as the driver says now
    std::string driver, cuda, cudnn;        // versions
};
GpuInfo gpuInfo();
bool gpuMultipliesFp8();  // has products of 8-bit values

// Makes the first GPU and a stream of its own current for this thread. Once, before any tensor is put there.
void openGpu();
// Waits for all queued work. An error of the device is thrown here: gpuOutOfMemory or hardware.
void waitForGpu();

at::Tensor pinnedBytes(int64_t bytes);  // uint8 on the host, page-locked
// Queued; `from` must stay as it is until the copy has been made. Sizes are equal, one of them is on the GPU.
void copyAsync(const at::Tensor& from, const at::Tensor& to);

class GpuEvent {
 public:
    GpuEvent();
    ~GpuEvent();
    GpuEvent(GpuEvent&&) noexcept;
    GpuEvent& operator=(GpuEvent&&) noexcept;
    void record();  // after all that is queued now
    bool reached() const;
    void wait() const;                                   // the host waits; at once where it was never recorded
    double secondsSince(const GpuEvent& earlier) const;  // both reached

 private:
    struct State;
    std::unique_ptr<State> m_state;
};

// Queued work as one object that is launched at once. What it captures must have run once before with the same shapes,
// so that nothing allocates or searches.
class GpuGraph {
 public:
    explicit GpuGraph(const std::function<void()>& work);
    ~GpuGraph();
    void launch() const;

 private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace unmask
