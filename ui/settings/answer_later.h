// SPDX-License-Identifier: Apache-2.0
// Work for another thread whose answer is a future. The promise starts here, before anybody holds its future: result()
// of a future that has not started does not wait, it reads an answer that is not there.
#pragma once

#include <QFuture>
#include <QPromise>
#include <QThreadPool>
#include <memory>
#include <type_traits>
#include <utility>

namespace unmask::ui {

// `work` takes nothing, throws nothing and returns the answer. Like any future, then() calls at once where the answer
// is already there.
template <class Work>
auto answerLater(Work work, QThreadPool* pool = QThreadPool::globalInstance()) {
    using Answer = std::invoke_result_t<Work>;
    auto promise = std::make_shared<QPromise<Answer>>();
    promise->start();
    QFuture<Answer> future = promise->future();
    pool->start([promise, work = std::move(work)]() mutable {
        promise->addResult(work());
        promise->finish();
    });
    return future;
}

}  // namespace unmask::ui
