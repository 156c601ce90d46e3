// SPDX-License-Identifier: Apache-2.0
// How CPU kernels split work. With a fixed number of threads every split is the same, so results are bit-equal from
// run to run; kernels without sums over rows do not even depend on the number.
#pragma once

#include <ATen/core/Tensor.h>
#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace unmask::cpu {

// Work below this many elements is not worth waking threads for.
constexpr int64_t kSerialElements = 32768;

inline int threadCount() {
    return omp_get_max_threads();
}

// body(begin, end, thread) over [0, count), one contiguous part a thread.
template <class Body>
void parallelParts(int64_t count, int64_t elements, Body&& body) {
    if (elements < kSerialElements || threadCount() == 1) {
        if (count > 0)
            body(int64_t{0}, count, 0);
        return;
    }
#pragma omp parallel
    {
        const int64_t threads = omp_get_num_threads();
        const int64_t thread = omp_get_thread_num();
        const int64_t begin = count * thread / threads;
        const int64_t end = count * (thread + 1) / threads;
        if (begin < end)
            body(begin, end, static_cast<int>(thread));
    }
}

// body(task, thread) for each task, handed out as threads become free: only for tasks whose results do not meet.
template <class Body>
void parallelTasks(int64_t count, Body&& body) {
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t task = 0; task < count; ++task)
        body(task, omp_get_thread_num());
}

// Calls visitor(T{}) with the storage type.
template <class Visitor>
void withType(at::ScalarType type, Visitor&& visitor) {
    if (type == at::kDouble)
        visitor(double{});
    else
        visitor(float{});
}

// Rows of a matrix that may be strided.
template <class T>
struct RowView {
    T* data = nullptr;
    int64_t rows = 0, columns = 0, stride = 0;

    RowView() = default;
    explicit RowView(const at::Tensor& t)
        : data(t.defined() ? t.data_ptr<T>() : nullptr),
          rows(t.defined() ? t.size(0) : 0),
          columns(t.defined() ? t.size(1) : 0),
          stride(t.defined() ? t.stride(0) : 0) {}
    T* operator[](int64_t row) const { return data + row * stride; }
};

template <class T>
T* dataOf(const at::Tensor& t) {
    return t.defined() ? t.data_ptr<T>() : nullptr;
}

}  // namespace unmask::cpu
