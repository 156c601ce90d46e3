// SPDX-License-Identifier: Apache-2.0
// What ranks say to each other. Every member of a group makes the same calls in the same order; tensors are contiguous
// and of equal size and type on all members unless said otherwise. Failures are Error(communication), which names this
// rank, the call and how long it waited; a member that is lost shows as one within the timeout.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace unmask {

// Work under way. Its tensors must stay untouched until wait() has returned; destruction waits, too.
class Transfer {
 public:
    virtual ~Transfer() = default;
    virtual void wait() = 0;
};
using TransferPtr = std::unique_ptr<Transfer>;

class Communicator {
 public:
    virtual ~Communicator() = default;
    virtual int size() const = 0;
    virtual int rank() const = 0;  // in this group

    virtual TransferPtr startSum(const at::Tensor& values) = 0;  // in place; equal bits on every rank
    // slice (n): the sum of everybody's n elements at rank · n of `values` (size · n).
    virtual TransferPtr startSumAndScatter(const at::Tensor& values, const at::Tensor& slice) = 0;
    // all (size · n): everybody's `slice` (n), by rank.
    virtual TransferPtr startGather(const at::Tensor& slice, const at::Tensor& all) = 0;
    virtual TransferPtr startSend(const at::Tensor& values, int to, int tag) = 0;
    virtual TransferPtr startReceive(const at::Tensor& values, int from, int tag) = 0;
    virtual void maximum(const at::Tensor& values) = 0;  // in place
    virtual void broadcast(const at::Tensor& values, int root) = 0;
    // Rows of `in` go to the ranks by `sent` (rows a rank), those of `out` come from them by `received`.
    virtual void exchangeRows(const at::Tensor& in, const std::vector<int64_t>& sent, const at::Tensor& out,
                              const std::vector<int64_t>& received) = 0;
    virtual void barrier() = 0;

    void sum(const at::Tensor& values) { startSum(values)->wait(); }
    void sum(std::span<double> numbers);  // in place
    void gather(const at::Tensor& slice, const at::Tensor& all) { startGather(slice, all)->wait(); }
    void send(const at::Tensor& values, int to, int tag) { startSend(values, to, tag)->wait(); }
    void receive(const at::Tensor& values, int from, int tag) { startReceive(values, from, tag)->wait(); }
    // The root's text on every rank.
    std::string broadcastText(const std::string& text, int root);
};

}  // namespace unmask
