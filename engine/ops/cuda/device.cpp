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
#include "engine/ops/gpu_problem.h"

namespace unmask {

namespace {

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
    GpuFacts facts;
    if (cudaDriverGetVersion(&facts.driver) != cudaSuccess)
        facts.driver = 0;
    const cudaError_t counted = cudaGetDeviceCount(&facts.devices);
    if (counted != cudaSuccess) {
        cudaGetLastError();
        facts.failure = cudaGetErrorString(counted);
    } else if (facts.devices > 0) {
        cudaDeviceProp properties{};
        facts.answers = cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
        facts.name = properties.name;
        facts.major = properties.major;
        facts.minor = properties.minor;
        facts.kernelsFit = kernels::canRunHere();
    }
    return problemOf(facts);
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
            .driver = cudaVersionText(driver),
            .cuda = cudaVersionText(runtime),
            .cudnn = std::to_string(cudnn / 10000) + "." + std::to_string(cudnn / 100 % 100) + "." +
                     std::to_string(cudnn % 100)};
}

bool gpuMultipliesFp8() {
    constexpr int kFirst = 89;  // Ada
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, 0), "properties of the GPU");
    return 10 * properties.major + properties.minor >= kFirst;
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
