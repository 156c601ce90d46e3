// SPDX-License-Identifier: Apache-2.0
// What the calls of a group do, over real sockets on loopback, and what is said when a member is lost.
#include "engine/parallel/gloo_communicator.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/engine/parallel/rank_threads.h"

namespace unmask::test {
namespace {

const at::TensorOptions kDouble = at::TensorOptions().dtype(at::kDouble);

std::vector<int> everybody(int size) {
    std::vector<int> members(static_cast<size_t>(size));
    std::iota(members.begin(), members.end(), 0);
    return members;
}

// 0, 1, 2, … times `factor`, from `first` on.
at::Tensor counted(int64_t count, double factor = 1, double first = 0) {
    const at::Tensor values = at::empty({count}, kDouble);
    for (int64_t i = 0; i < count; ++i)
        values.mutable_data_ptr<double>()[i] = first + factor * static_cast<double>(i);
    return values;
}

std::vector<double> valuesOf(const at::Tensor& tensor) {
    const double* const first = tensor.const_data_ptr<double>();
    return {first, first + tensor.numel()};
}

using Act = std::function<void(int rank, Communicator& group)>;
void expectWell(int size, const Act& act) {
    const auto failures = onRanks(size, [&](int rank, Rendezvous& rendezvous) {
        const auto group = rendezvous.makeGroup("all", everybody(size));
        act(rank, *group);
    });
    for (const std::string& failure : failures)
        EXPECT_EQ(failure, "");
}

TEST(GlooCommunicator, SumsMaximaAndBroadcasts) {
    expectWell(3, [](int rank, Communicator& group) {
        const at::Tensor values = at::full({5}, rank + 1.0, kDouble);
        group.sum(values);
        EXPECT_EQ(valuesOf(values), std::vector<double>(5, 6.0));
        const at::Tensor place = at::full({2}, static_cast<double>(rank), kDouble);
        group.maximum(place);
        EXPECT_EQ(valuesOf(place), std::vector<double>(2, 2.0));
        const at::Tensor word = at::full({2}, static_cast<double>(rank), kDouble);
        group.broadcast(word, 1);
        EXPECT_EQ(valuesOf(word), std::vector<double>(2, 1.0));
        group.barrier();
    });
}

TEST(GlooCommunicator, ScattersAndGathersSlices) {
    expectWell(4, [](int rank, Communicator& group) {
        const at::Tensor all = counted(8, rank + 1);
        const at::Tensor slice = at::empty({2}, kDouble);
        group.startSumAndScatter(all, slice)->wait();
        EXPECT_EQ(valuesOf(slice), (std::vector<double>{10.0 * (2 * rank), 10.0 * (2 * rank + 1)}));
        const at::Tensor whole = at::empty({8}, kDouble);
        group.gather(slice, whole);
        EXPECT_EQ(valuesOf(whole), valuesOf(counted(8, 10)));
    });
}

TEST(GlooCommunicator, RowsGoWhereTheyBelong) {
    expectWell(2, [](int rank, Communicator& group) {
        // Rank 0 keeps one row and sends two; rank 1 sends none and keeps one.
        const std::vector<int64_t> sent = rank == 0 ? std::vector<int64_t>{1, 2} : std::vector<int64_t>{0, 1};
        const std::vector<int64_t> received = rank == 0 ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{2, 1};
        const at::Tensor in = counted(rank == 0 ? 6 : 2, 1, 100.0 * rank).view({-1, 2});
        const at::Tensor out = at::empty({rank == 0 ? 1 : 3, 2}, kDouble);
        group.exchangeRows(in, sent, out, received);
        EXPECT_EQ(valuesOf(out), (rank == 0 ? std::vector<double>{0, 1} : std::vector<double>{2, 3, 4, 5, 100, 101}));
    });
}

TEST(GlooCommunicator, SendsOverlapAndAreToldApartByTag) {
    expectWell(2, [](int rank, Communicator& group) {
        const at::Tensor first = at::full({1000}, 1.0 + rank, kDouble), second = at::full({10}, 5.0 + rank, kDouble);
        const at::Tensor other = at::empty({1000}, kDouble), small = at::empty({10}, kDouble);
        const TransferPtr a = group.startSend(first, 1 - rank, 1);
        const TransferPtr b = group.startSend(second, 1 - rank, 2);
        group.receive(small, 1 - rank, 2);
        group.receive(other, 1 - rank, 1);
        EXPECT_EQ(valuesOf(small), std::vector<double>(10, 6.0 - rank));
        EXPECT_EQ(valuesOf(other), std::vector<double>(1000, 2.0 - rank));
    });
}

TEST(GlooCommunicator, AMemberThatLeavesIsAnErrorThatSaysWhoWaited) {
    const auto failures = onRanks(
        2,
        [](int rank, Rendezvous& rendezvous) {
            const auto group = rendezvous.makeGroup("all", {0, 1});
            if (rank == 0)
                group->sum(at::full({3}, 1.0, kDouble));
        },
        std::chrono::seconds(3));
    EXPECT_EQ(failures[1], "");
    EXPECT_THAT(failures[0], testing::AllOf(testing::HasSubstr("rank 0 of the 2 in group all"),
                                            testing::HasSubstr("in a sum"), testing::HasSubstr("lost the others")));
}

}  // namespace
}  // namespace unmask::test
