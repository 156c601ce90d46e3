// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stop_signals.h"

#include <gtest/gtest.h>

#include <csignal>

namespace unmask {
namespace {

// In a process of its own: the count of signals cannot be taken back.
[[noreturn]] void raiseAndReport(std::initializer_list<int> signals) {
    installStopSignals();
    for (const int number : signals)
        std::raise(number);
    const StopSignal got = stopSignal();
    std::exit(got.count * 100 + static_cast<int>(got.exitCode));
}

TEST(StopSignals, CountsAndRemembersTheFirst) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(raiseAndReport({}), testing::ExitedWithCode(10), "");
    EXPECT_EXIT(raiseAndReport({SIGINT}), testing::ExitedWithCode(110), "");
    EXPECT_EXIT(raiseAndReport({SIGTERM}), testing::ExitedWithCode(127), "");
    EXPECT_EXIT(raiseAndReport({SIGTERM, SIGINT}), testing::ExitedWithCode(227), "");
    EXPECT_EXIT(raiseAndReport({SIGHUP, SIGPIPE, SIGINT}), testing::ExitedWithCode(110), "");
}

}  // namespace
}  // namespace unmask
