// SPDX-License-Identifier: Apache-2.0
// The way to an object that may die first. Calls are queued into the object's thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <mutex>

namespace unmask::ui {

class Relay {
 public:
    explicit Relay(QObject* target) : m_target(target) {}
    void post(std::function<void()> call);
    void cut();

 private:
    std::mutex m_mutex;
    QObject* m_target;
};
using RelayPtr = std::shared_ptr<Relay>;

}  // namespace unmask::ui
