// SPDX-License-Identifier: Apache-2.0
// fp64 is held to autograd elsewhere; here the fp32 kernels, with their own exponential and vector code, are held to
// fp64, and to giving the same bits with any number of threads where they promise it.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>

#include "engine/ops/cpu/kernels.h"
#include "tests/engine/ops/autograd_reference.h"

namespace unmask::reference {

inline at::TensorOptions float32() {
    return at::TensorOptions().dtype(at::kFloat);
}
inline at::Tensor single(const at::Tensor& t) {
    return t.defined() ? t.to(at::kFloat) : t;
}

inline void expectFollows(const at::Tensor& fp32, const at::Tensor& fp64, const char* what, double tolerance = 2e-6) {
    ASSERT_EQ(fp32.scalar_type(), at::kFloat) << what;
    expectClose(fp32.to(at::kDouble), fp64, what, tolerance);
}

// Runs `work` with 1, 2 and 3 threads and expects equal bits.
template <class Work>
void expectSameBitsWithAnyThreads(Work&& work) {
    const int threads = at::get_num_threads();
    std::vector<at::Tensor> results;
    for (const int count : {1, 2, 3}) {
        at::set_num_threads(count);
        results.push_back(work());
    }
    at::set_num_threads(threads);
    EXPECT_TRUE(at::equal(results[0], results[1]));
    EXPECT_TRUE(at::equal(results[0], results[2]));
}

}  // namespace unmask::reference
