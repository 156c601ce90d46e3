// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/answer_later.h"

#include <gtest/gtest.h>

#include <QSemaphore>

#include "tests/ui/support/wait_for.h"

using namespace unmask::ui;
using unmask::test::waitFor;

namespace {

// A pool whose only thread is held until the test lets it go: the work waits in the queue.
class BusyPool {
 public:
    BusyPool() {
        m_pool.setMaxThreadCount(1);
        m_pool.start([this] { m_gate.acquire(); });
    }
    ~BusyPool() {
        release();
        m_pool.waitForDone();
    }
    void release() { m_gate.release(); }
    QThreadPool* pool() { return &m_pool; }

 private:
    QSemaphore m_gate;
    QThreadPool m_pool;
};

TEST(AnswerLater, AskingBeforeTheWorkHasBegunWaitsForTheAnswer) {
    BusyPool busy;
    QFuture<QString> future = answerLater([] { return QStringLiteral("扩散"); }, busy.pool());
    ASSERT_TRUE(future.isStarted());  // else result() would read an answer that is not there
    EXPECT_FALSE(future.isFinished());
    busy.release();
    EXPECT_EQ(future.result(), QStringLiteral("扩散"));
}

TEST(AnswerLater, WhatFollowsIsCalledOnceInTheThreadOfItsOwner) {
    BusyPool busy;
    QObject owner;
    QThread* called = nullptr;
    int calls = 0;
    answerLater([] { return 7; }, busy.pool()).then(&owner, [&](int answer) {
        EXPECT_EQ(answer, 7);
        called = QThread::currentThread();
        ++calls;
    });
    EXPECT_EQ(calls, 0);
    busy.release();
    ASSERT_TRUE(waitFor([&] { return calls > 0; }));
    EXPECT_EQ(called, QThread::currentThread());
    EXPECT_EQ(calls, 1);
}

}  // namespace
