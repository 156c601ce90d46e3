// SPDX-License-Identifier: Apache-2.0
// A group of one needs no network and answers itself.
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/parallel/gloo_communicator.h"

namespace unmask {
namespace {

TEST(Alone, AnswersItself) {
    const auto alone = makeAlone();
    EXPECT_EQ(alone->size(), 1);
    const at::Tensor values = at::full({4}, 3.0), copy = at::zeros({4});
    alone->sum(values);
    EXPECT_TRUE(values.equal(at::full({4}, 3.0)));
    alone->gather(values, copy);
    EXPECT_TRUE(copy.equal(values));
    const at::Tensor slice = at::zeros({4});
    alone->startSumAndScatter(values, slice)->wait();
    EXPECT_TRUE(slice.equal(values));
    EXPECT_EQ(alone->broadcastText("word", 0), "word");
    alone->barrier();
}

TEST(Alone, HasNobodyToSendTo) {
    const auto alone = makeAlone();
    EXPECT_THROW(alone->send(at::full({1}, 1.0), 0, 0), Error);
    EXPECT_THROW(alone->receive(at::full({1}, 1.0), 0, 0), Error);
}

}  // namespace
}  // namespace unmask
