// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/version.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

TEST(Version, NamesANumberAndTheCommitItWasBuiltFrom) {
    const std::string_view version = codeVersion();
    const size_t open = version.find(" (");
    ASSERT_NE(open, std::string_view::npos) << version;
    EXPECT_EQ(version.substr(0, open).find_first_not_of("0123456789."), std::string_view::npos) << version;
    EXPECT_TRUE(version.ends_with(')'));
    EXPECT_GT(version.size(), open + 3) << "an empty commit";
}

}  // namespace
}  // namespace unmask
