// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/own_address.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

TEST(OwnAddress, LoopbackIsReachedFromLoopback) {
    EXPECT_EQ(ownAddressTowards("127.0.0.1"), "127.0.0.1");
}

TEST(OwnAddress, AHostThatLeadsNowhereIsSaidAtOnce) {
    EXPECT_THROW(ownAddressTowards("no-such-host.invalid"), Error);
}

}  // namespace
}  // namespace unmask
