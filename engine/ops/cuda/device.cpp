// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/device.h"

#include <ATen/ops/empty.h>
#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <array>

#include "engine/base/error.h"
#include "engine/ops/cuda/launch.h"

namespace unmask {

namespace {

constexpr int kOldestDriver = 13000;  // CUDA 13, what the kernels and LibTorch were built with

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void require(cudaError_t result, const char* what) {
    if (result == cudaSuccess)
        return;
    cudaGetLastError();
    const std::string text = std::string("[gpu] ") + what + ": " + cudaGetErrorString(result);
    if (result == cudaErrorMemoryAllocation)
        throw Error{ErrorCode::gpuOutOfMemory, text};
    throw Error{ErrorCode::hardware, text};
}

}  // namespace

std::string gpuProblem() {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no NVIDIA driver was found on this computer";
    if (driver < kOldestDriver)
        return "the NVIDIA driver is too old: it supports CUDA " + versionText(driver) + ", this build needs " +
               versionText(kOldestDriver);
    int devices = 0;
    const cudaError_t counted = cudaGetDeviceCount(&devices);
    if (counted != cudaSuccess || devices == 0) {
        cudaGetLastError();
        return std::string("no GPU can be used: ") +
               (counted == cudaSuccess ? "none is visible" : cudaGetErrorString(counted));
    }
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        return "the GPU does not answer";
    if (!kernels::canRunHere())
        return std::string("the kernels of this build were not made for ") + properties.name + " (compute capability " +
               std::to_string(properties.major) + "." + std::to_string(properties.minor) + ")";
    return {};
}

GpuInfo gpuInfo() {
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, 0), "properties of the GPU");
    size_t freeNow = 0;
    size_t total = 0;
    require(cudaMemGetInfo(&freeNow, &total), "memory of the GPU");
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    const auto cudnn = static_cast<int>(cudnnGetVersion());
    return {.name = properties.name,
            .totalBytes = static_cast<int64_t>(total),
            .freeBytes = static_cast<int64_t>(freeNow),
            .driver = versionText(driver),
            .cuda = versionText(runtime),
            .cudnn = std::to_string(cudnn / 10000) + "." + std::to_string(cudnn / 100 % 100) + "." +
                     std::to_string(cudnn % 100)};
}

void openGpu() {
    require(cudaSetDevice(0), "the first GPU");
    c10::cuda::setCurrentCUDAStream(c10::cuda::getStreamFromPool(true, 0));
}

void waitForGpu() {
    require(cudaStreamSynchronize(cuda::currentStream()), "queued work failed");
}

at::Tensor pinnedBytes(int64_t bytes) {
    return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
}

void copyAsync(const at::Tensor& from, const at::Tensor& to) {
    require(
        cudaMemcpyAsync(to.data_ptr(), from.const_data_ptr(), from.nbytes(), cudaMemcpyDefault, cuda::currentStream()),
        "a copy");
}

struct GpuEvent::State {
    cudaEvent_t event = nullptr;
    bool recorded = false;
    State() { require(cudaEventCreate(&event), "an event"); }
    ~State() { cudaEventDestroy(event); }
};

GpuEvent::GpuEvent() : m_state(std::make_unique<State>()) {}
GpuEvent::~GpuEvent() = default;
GpuEvent::GpuEvent(GpuEvent&&) noexcept = default;
GpuEvent& GpuEvent::operator=(GpuEvent&&) noexcept = default;

void GpuEvent::record() {
    require(cudaEventRecord(m_state->event, cuda::currentStream()), "an event");
    m_state->recorded = true;
}

bool GpuEvent::reached() const {
    if (!m_state->recorded)
        return true;
    const cudaError_t result = cudaEventQuery(m_state->event);
    if (result == cudaErrorNotReady)
        return false;
    require(result, "queued work failed");
    return true;
}

void GpuEvent::wait() const {
    if (m_state->recorded)
        require(cudaEventSynchronize(m_state->event), "queued work failed");
}

double GpuEvent::secondsSince(const GpuEvent& earlier) const {
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, earlier.m_state->event, m_state->event), "time between events");
    return milliseconds * 1e-3;
}

struct GpuGraph::State {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t launchable = nullptr;
    ~State() {
        if (launchable != nullptr)
            cudaGraphExecDestroy(launchable);
        if (graph != nullptr)
            cudaGraphDestroy(graph);
    }
};

GpuGraph::GpuGraph(const std::function<void()>& work) : m_state(std::make_unique<State>()) {
    const auto stream = cuda::currentStream();
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "a graph");
    try {
        work();
    } catch (...) {
        cudaStreamEndCapture(stream, &m_state->graph);
        cudaGetLastError();
        throw;
    }
    require(cudaStreamEndCapture(stream, &m_state->graph), "a graph");
    require(cudaGraphInstantiate(&m_state->launchable, m_state->graph, 0), "a graph");
    require(cudaGraphUpload(m_state->launchable, stream), "a graph");
}

GpuGraph::~GpuGraph() = default;

void GpuGraph::launch() const {
    require(cudaGraphLaunch(m_state->launchable, cuda::currentStream()), "a graph");
}

}  // namespace unmask
