// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/relay.h"

namespace unmask::ui {

void Relay::post(std::function<void()> call) {
    const std::lock_guard lock(m_mutex);
    if (m_target)
        QMetaObject::invokeMethod(m_target, std::move(call), Qt::QueuedConnection);
}

void Relay::cut() {
    const std::lock_guard lock(m_mutex);
    m_target = nullptr;
}

}  // namespace unmask::ui
