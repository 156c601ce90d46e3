// SPDX-License-Identifier: Apache-2.0
#include "engine/base/clock.h"

#include <gtest/gtest.h>

using namespace unmask;

TEST(Clock, ReadsBackItsOwnTimes) {
    const int64_t before = unixNanoseconds();
    const int64_t read = parseUtcNanoseconds(utcNow());
    EXPECT_GE(read, before);
    EXPECT_LT(read - before, 5'000'000'000);
}

TEST(Clock, KnowsAFixedTime) {
    EXPECT_EQ(parseUtcNanoseconds("2026-12-01T10:00:00.123456789Z"), 1796119200123456789);
    EXPECT_EQ(parseUtcNanoseconds("2026-12-01T10:00:00.5Z"), 1796119200500000000);
    EXPECT_EQ(parseUtcNanoseconds("2026-12-01T10:00:00Z"), 1796119200000000000);
}

TEST(Clock, RefusesWhatIsNoTime) {
    for (const char* text : {"", "2026-12-01", "2026-13-01T10:00:00Z", "2026-12-01T25:00:00Z", "2026-12-01 10:00:00Z",
                             "2026-12-01T10:00:00.Z", "2026-12-01T10:00:00.1234567890Z", "2026-12-01T10:00:00.12x4Z"})
        EXPECT_EQ(parseUtcNanoseconds(text), -1) << text;
}
