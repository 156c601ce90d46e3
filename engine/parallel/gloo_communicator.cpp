// SPDX-License-Identifier: Apache-2.0
#define USE_C10D_GLOO
#include "engine/parallel/gloo_communicator.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace unmask {

namespace {

using WorkPtr = c10::intrusive_ptr<c10d::Work>;

// Who asks, for sentences about what went wrong.
struct Caller {
    std::string group;
    int rank = 0;
    int size = 1;

    Error failure(const char* call, SteadyClock::time_point since, const std::string& what) const {
        return Error{ErrorCode::communication, "[parallel] rank " + std::to_string(rank) + " of the " +
                                                   std::to_string(size) + " in group " + group + " waited " +
                                                   formatDuration(secondsSince(since)) + " in " + call +
                                                   " and lost the others: " + what.substr(0, what.find('\n'))};
    }
};

template <class Act>
auto reported(const Caller& caller, const char* call, const Act& act) {
    const auto since = SteadyClock::now();
    try {
        return act();
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw caller.failure(call, since, error.what());
    }
}

class GlooTransfer final : public Transfer {
 public:
    GlooTransfer(const Caller& caller, const char* call, WorkPtr work)
        : m_caller(caller), m_call(call), m_work(std::move(work)) {}
    ~GlooTransfer() override {
        try {
            wait();
        } catch (const Error&) {  // an error is under way already, or the next call meets it
        }
    }
    void wait() override {
        if (const WorkPtr work = std::exchange(m_work, {}))
            reported(m_caller, m_call, [&] { return work->wait(); });
    }

 private:
    const Caller& m_caller;
    const char* m_call;
    WorkPtr m_work;
};

class Gloo final : public Communicator {
 public:
    Gloo(c10::intrusive_ptr<c10d::ProcessGroupGloo> group, Caller caller)
        : m_group(std::move(group)), m_caller(std::move(caller)) {}

    int size() const override { return m_caller.size; }
    int rank() const override { return m_caller.rank; }

    TransferPtr startSum(const at::Tensor& values) override {
        return start("a sum", [&] { return reduce(values, c10d::ReduceOp::SUM); });
    }
    TransferPtr startSumAndScatter(const at::Tensor& values, const at::Tensor& slice) override {
        return start("a sum", [&] {
            at::Tensor out = slice;
            at::Tensor in = values;
            return m_group->_reduce_scatter_base(out, in);
        });
    }
    TransferPtr startGather(const at::Tensor& slice, const at::Tensor& all) override {
        return start("gathering", [&] {
            at::Tensor out = all;
            at::Tensor in = slice;
            return m_group->_allgather_base(out, in);
        });
    }
    TransferPtr startSend(const at::Tensor& values, int to, int tag) override {
        return start("sending", [&] {
            std::vector<at::Tensor> list{values};
            return m_group->send(list, to, tag);
        });
    }
    TransferPtr startReceive(const at::Tensor& values, int from, int tag) override {
        return start("receiving", [&] {
            std::vector<at::Tensor> list{values};
            return m_group->recv(list, from, tag);
        });
    }
    void maximum(const at::Tensor& values) override {
        start("a maximum", [&] { return reduce(values, c10d::ReduceOp::MAX); })->wait();
    }
    void broadcast(const at::Tensor& values, int root) override {
        start("a broadcast", [&] {
            std::vector<at::Tensor> list{values};
            return m_group->broadcast(list, {.rootRank = root});
        })->wait();
    }
    void exchangeRows(const at::Tensor& in, const std::vector<int64_t>& sent, const at::Tensor& out,
                      const std::vector<int64_t>& received) override {
        start("an exchange", [&] {
            at::Tensor to = out;
            at::Tensor from = in;
            std::vector<int64_t> outRows = received;
            std::vector<int64_t> inRows = sent;
            return m_group->alltoall_base(to, from, outRows, inRows);
        })->wait();
    }
    void barrier() override {
        start("a barrier", [&] { return m_group->barrier(); })->wait();
    }

 private:
    WorkPtr reduce(const at::Tensor& values, c10d::ReduceOp::RedOpType op) {
        std::vector<at::Tensor> list{values};
        return m_group->allreduce(list, {.reduceOp = op});
    }
    template <class Act>
    TransferPtr start(const char* call, const Act& act) {
        return std::make_unique<GlooTransfer>(m_caller, call, reported(m_caller, call, act));
    }

    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
    Caller m_caller;
};

}  // namespace

std::unique_ptr<Communicator> makeGloo(const c10::intrusive_ptr<c10d::Store>& store, const GlooGroup& group) {
    const Caller caller{group.name, group.rank, group.size};
    return reported(caller, "forming the group", [&]() -> std::unique_ptr<Communicator> {
        const auto options = c10d::ProcessGroupGloo::Options::create(group.timeout);
        if (!group.interface.empty())
            options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(group.interface));
        else
            options->devices.push_back(
                c10d::ProcessGroupGloo::createDeviceForHostname(group.address.empty() ? "127.0.0.1" : group.address));
        const auto own = c10::make_intrusive<c10d::PrefixStore>(group.name, store);
        return std::make_unique<Gloo>(c10::make_intrusive<c10d::ProcessGroupGloo>(own, group.rank, group.size, options),
                                      caller);
    });
}

}  // namespace unmask
