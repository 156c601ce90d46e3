// SPDX-License-Identifier: Apache-2.0
// Turning the event loop in tests until something holds or time is up.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFuture>
#include <QThread>
#include <functional>

namespace unmask::test {

inline bool waitFor(const std::function<bool()>& condition, int timeoutMs = 10000) {
    QElapsedTimer clock;
    clock.start();
    while (!condition()) {
        if (clock.elapsed() > timeoutMs)
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
        QThread::msleep(1);
    }
    return true;
}

template <class T>
T resultOf(QFuture<T> future, int timeoutMs = 60000) {
    if (!waitFor([&] { return future.isFinished(); }, timeoutMs))
        return T{};
    return future.result();
}

}  // namespace unmask::test
