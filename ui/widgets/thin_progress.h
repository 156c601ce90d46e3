// SPDX-License-Identifier: Apache-2.0
// The thin bar at the top of a page that waits. It appears after 300 ms only, so quick things do not flicker; after 2 s
// it asks for a Cancel button. Its room is always reserved.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <optional>

namespace unmask::ui {

class ThinProgress final : public QWidget {
    Q_OBJECT
 public:
    explicit ThinProgress(QWidget* parent = nullptr);

    void start(const QString& what);             // indeterminate, until setShare
    void setShare(std::optional<double> share);  // 0 to 1
    void finish();
    bool running() const { return m_running; }
    bool shown() const { return m_shown; }
    QSize sizeHint() const override;

 Q_SIGNALS:
    void cancelOffered(bool offered);  // after 2 s, and false again at the end

 protected:
    void paintEvent(QPaintEvent* event) override;

 private:
    void tick();

    QTimer m_timer;
    QElapsedTimer m_clock;
    std::optional<double> m_share;
    bool m_running = false;
    bool m_shown = false;
    bool m_offered = false;
};

}  // namespace unmask::ui
