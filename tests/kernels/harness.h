// SPDX-License-Identifier: Apache-2.0
// Runs a kernel on the device beside its host reference: buffers of random values with guard words on both sides, and a
// comparison with a tolerance a case. Tests skip with a message where there is no GPU.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/common/host_values.h"

namespace unmask::kernels::testing {

inline bool deviceHere() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

#define SKIP_WITHOUT_GPU()                       \
    if (!unmask::kernels::testing::deviceHere()) \
    GTEST_SKIP() << "no NVIDIA GPU on this machine"

// A host buffer and its device copy, with guard bytes round the latter.
class Buffer {
 public:
    explicit Buffer(size_t bytes) : m_host(bytes) {
        EXPECT_EQ(cudaMalloc(&m_base, bytes + 2 * kGuard), cudaSuccess);
        EXPECT_EQ(cudaMemset(m_base, kPattern, bytes + 2 * kGuard), cudaSuccess);
    }
    ~Buffer() { cudaFree(m_base); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class T = void>
    T* host() {
        return reinterpret_cast<T*>(m_host.data());
    }
    template <class T = void>
    T* device() {
        return reinterpret_cast<T*>(static_cast<char*>(m_base) + kGuard);
    }
    void upload() {
        EXPECT_EQ(cudaMemcpy(device(), m_host.data(), m_host.size(), cudaMemcpyHostToDevice), cudaSuccess);
    }
    std::vector<unsigned char> download() {
        std::vector<unsigned char> all(m_host.size() + 2 * kGuard);
        EXPECT_EQ(cudaMemcpy(all.data(), m_base, all.size(), cudaMemcpyDeviceToHost), cudaSuccess);
        for (size_t i = 0; i < kGuard; ++i)
            if (all[i] != kPattern || all[all.size() - 1 - i] != kPattern) {
                ADD_FAILURE() << "written outside the buffer";
                break;
            }
        return {all.begin() + kGuard, all.end() - kGuard};
    }

 private:
    static constexpr size_t kGuard = 256;
    static constexpr unsigned char kPattern = 0xA5;
    std::vector<unsigned char> m_host;
    void* m_base = nullptr;
};

// Typed values, random in [-scale, scale] unless filled otherwise.
class Values : public Buffer {
 public:
    Values(int64_t count, DType type, unsigned seed, double scale = 1)
        : Buffer(static_cast<size_t>(count) * bytesOf(type)), m_count(count), m_type(type) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> uniform(-scale, scale);
        for (int64_t i = 0; i < count; ++i)
            setValue(host(), i, type, uniform(random));
        upload();
    }
    void fill(double value) {
        for (int64_t i = 0; i < m_count; ++i)
            setValue(host(), i, m_type, value);
        upload();
    }
    // Device against host (which the reference has changed by now).
    void compare(const char* what, double relative, double absolute) {
        const auto got = download();
        double worst = 0;
        int64_t at = -1;
        for (int64_t i = 0; i < m_count; ++i) {
            const double a = valueAt(got.data(), i, m_type), b = valueAt(host(), i, m_type);
            const double over =
                std::isnan(a) != std::isnan(b) ? INFINITY : std::abs(a - b) / (absolute + relative * std::abs(b));
            if (over > worst)
                worst = over, at = i;
        }
        EXPECT_LE(worst, 1.0) << what << " at " << at << ": device " << valueAt(got.data(), at < 0 ? 0 : at, m_type)
                              << ", reference " << valueAt(host(), at < 0 ? 0 : at, m_type);
    }

 private:
    int64_t m_count;
    DType m_type;
};

inline void succeeded(Status status) {
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// Tolerance of one rounding of the storage type over float arithmetic.
inline double roundingOf(DType type) {
    return type == DType::bfloat16 ? 1.0 / 128 : type == DType::float16 ? 1.0 / 1024 : 2e-5;
}
inline std::string nameOf(DType type) {
    return type == DType::bfloat16 ? "bf16" : type == DType::float16 ? "fp16" : "fp32";
}
constexpr DType kBothTypes[] = {DType::float32, DType::bfloat16};
constexpr DType kAllTypes[] = {DType::float32, DType::bfloat16, DType::float16};

}  // namespace unmask::kernels::testing
