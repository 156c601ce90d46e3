// SPDX-License-Identifier: Apache-2.0
#include "app/latency_watch.h"

#include <gtest/gtest.h>

#include <QEventLoop>
#include <QTimer>
#include <chrono>
#include <thread>

using namespace unmask::ui;

namespace {

void runLoop(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

TEST(LatencyWatch, SeesABlockedLoop) {
    LatencyWatch watch;
    runLoop(50);
    QTimer::singleShot(0, [] { std::this_thread::sleep_for(std::chrono::milliseconds(120)); });
    runLoop(200);
    EXPECT_GE(watch.longest().wallMs, 100);
    EXPECT_LT(watch.longest().cpuMs, 60);  // it slept, it did not compute
}

TEST(LatencyWatch, ResetForgets) {
    LatencyWatch watch;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    runLoop(20);
    ASSERT_GT(watch.longest().wallMs, 40);
    watch.reset();
    EXPECT_EQ(watch.longest().wallMs, 0);
}

}  // namespace
