// SPDX-License-Identifier: Apache-2.0
// Devices that share layers, as threads that meet at a barrier: for tests of ops, which know no communicator.
#pragma once

#include <ATen/ops/maximum.h>

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "engine/ops/tensor_group.h"

namespace unmask::reference {

class ThreadGroup {
 public:
    explicit ThreadGroup(int64_t parts) : m_parts(parts), m_given(static_cast<size_t>(parts)), m_barrier(parts) {}

    // Runs act(group of the part) on a thread for each part.
    void run(const std::function<void(TensorGroup&)>& act) {
        std::vector<std::thread> threads;
        for (int64_t part = 0; part < m_parts; ++part)
            threads.emplace_back([&, part] {
                Member member(*this, part);
                act(member);
            });
        for (std::thread& each : threads)
            each.join();
    }

 private:
    class Member final : public TensorGroup {
     public:
        Member(ThreadGroup& group, int64_t part) : m_group(group), m_part(part) {}
        int64_t parts() const override { return m_group.m_parts; }
        int64_t part() const override { return m_part; }
        void sum(const at::Tensor& partial) override {
            m_group.meet(m_part, partial, [](const at::Tensor& a, const at::Tensor& b) { return a + b; });
        }
        void maximum(const at::Tensor& partial) override {
            m_group.meet(m_part, partial, [](const at::Tensor& a, const at::Tensor& b) { return at::maximum(a, b); });
        }

     private:
        ThreadGroup& m_group;
        int64_t m_part;
    };

    template <class Join>
    void meet(int64_t part, const at::Tensor& partial, const Join& join) {
        m_given[static_cast<size_t>(part)] = partial.clone();
        m_barrier.arrive_and_wait();
        at::Tensor all = m_given.front();
        for (size_t other = 1; other < m_given.size(); ++other)
            all = join(all, m_given[other]);
        m_barrier.arrive_and_wait();
        partial.copy_(all);
    }

    int64_t m_parts;
    std::vector<at::Tensor> m_given;
    std::barrier<> m_barrier;
};

}  // namespace unmask::reference
