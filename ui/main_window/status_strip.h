// SPDX-License-Identifier: Apache-2.0
// Along the lower edge of the window: what trains now, with step and time left, and the free disk space for runs.
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/pages/services.h"

class QHBoxLayout;
class QLabel;

namespace unmask::ui {

class StatusStrip final : public QWidget {
    Q_OBJECT
 public:
    explicit StatusStrip(const Services& services, QWidget* parent = nullptr);

 private:
    void refreshRuns();
    void refreshDisk();
    void showDisk();

    Services m_services;
    QHBoxLayout* m_runs;
    QLabel* m_idle;
    QLabel* m_disk;
    QTimer m_soon;  // one refresh for many changed rows
    QTimer m_diskTimer;
    qint64 m_freeBytes = -1;
};

}  // namespace unmask::ui
