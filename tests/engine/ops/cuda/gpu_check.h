// SPDX-License-Identifier: Apache-2.0
// GPU ops beside the CPU's in float64 on the same rounded inputs. A Pair is one tensor on both sides: on the GPU it
// lies between guard words that nothing may write to.
#pragma once

#include <ATen/core/Tensor.h>
#define AT_PER_OPERATOR_HEADERS  // so that the operators bring in their own headers only
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/ops/device.h"

namespace unmask::gpu {

// Skips with a message where no GPU can be used.
class GpuTest : public testing::Test {
 protected:
    void SetUp() override {
        const std::string problem = gpuProblem();
        if (!problem.empty())
            GTEST_SKIP() << problem;
        static const bool open = [] {
            openGpu();
            return true;
        }();
        (void)open;
        at::manual_seed(7);
    }
};

inline at::TensorOptions float64() {
    return at::TensorOptions().dtype(at::kDouble);
}
inline at::Tensor uniform(at::IntArrayRef shape, double scale = 1) {
    return (at::rand(shape, float64()) * 2 - 1) * scale;
}

class Pair {
 public:
    Pair() = default;
    // Values as `type` rounds them, in float64 on the host; integers keep their type.
    Pair(const at::Tensor& values, at::ScalarType type)
        : host(at::isFloatingType(type) ? values.to(type).to(at::kDouble).contiguous() : values.to(type).contiguous()),
          m_guarded(
              at::full({values.numel() + 2 * kGuard}, kPattern, at::TensorOptions().dtype(type).device(at::kCUDA))) {
        m_guarded.narrow(0, kGuard, values.numel()).copy_(host.to(type).flatten());
        device = m_guarded.narrow(0, kGuard, values.numel()).view(values.sizes());
    }

    at::Tensor host, device;

    // Device against host, of which the op has changed both by now; and that the guards are whole.
    void compare(const char* what, double relative, double absolute) const {
        const at::Tensor got = device.cpu().to(at::kDouble);
        const at::Tensor wanted = host.to(at::kDouble);
        ASSERT_EQ(got.sizes(), wanted.sizes()) << what;
        const at::Tensor over = (got - wanted).abs() / (wanted.abs() * relative + absolute);
        EXPECT_LE(got.numel() == 0 ? 0 : over.max().item<double>(), 1.0) << what;
        checkGuards(what);
    }
    void checkGuards(const char* what) const {
        const int64_t inner = m_guarded.numel() - kGuard;
        for (const int64_t start : {int64_t{0}, inner})
            EXPECT_TRUE((m_guarded.narrow(0, start, kGuard) == kPattern).all().item<bool>())
                << what << " was written outside of its bounds";
    }

 private:
    static constexpr int64_t kGuard = 64;
    static constexpr int kPattern = 77;  // exact in every type
    at::Tensor m_guarded;
};

// One rounding of the type over arithmetic in float.
inline double roundingOf(at::ScalarType type) {
    return type == at::kFloat ? 2e-5 : 1.0 / 128;
}

struct Types {
    at::ScalarType values, gradients;  // activations and weights; parameter gradients
};
inline const std::vector<Types>& mixtures() {
    static const std::vector<Types> all = {
        {at::kFloat, at::kFloat}, {at::kBFloat16, at::kBFloat16}, {at::kBFloat16, at::kFloat}, {at::kHalf, at::kHalf}};
    return all;
}

}  // namespace unmask::gpu
