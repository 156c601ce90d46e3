// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/thin_progress.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {
constexpr int kShowAfterMs = 300;
constexpr int kOfferCancelAfterMs = 2000;
constexpr int kFrameMs = 50;
}  // namespace

ThinProgress::ThinProgress(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Nothing is loading"));
    m_timer.setInterval(kFrameMs);
    connect(&m_timer, &QTimer::timeout, this, &ThinProgress::tick);
}

void ThinProgress::start(const QString& what) {
    setAccessibleName(what);
    setToolTip(what);
    if (m_running)
        return;
    m_running = true;
    m_share.reset();
    m_clock.start();
    m_timer.start();
}

void ThinProgress::setShare(std::optional<double> share) {
    m_share = share;
    if (share)
        setAccessibleDescription(numbers::percent(*share));
}

void ThinProgress::finish() {
    m_timer.stop();
    m_running = false;
    m_shown = false;
    setAccessibleName(tr("Nothing is loading"));
    setAccessibleDescription({});
    setToolTip({});
    if (m_offered)
        Q_EMIT cancelOffered(false);
    m_offered = false;
    update();
}

void ThinProgress::tick() {
    m_shown = m_clock.elapsed() >= kShowAfterMs;
    if (!m_offered && m_clock.elapsed() >= kOfferCancelAfterMs) {
        m_offered = true;
        Q_EMIT cancelOffered(true);
    }
    if (m_shown && isVisible())
        update();
}

QSize ThinProgress::sizeHint() const {
    return {Style::instance().px(10), std::max(2, Style::instance().px(0.18))};
}

void ThinProgress::paintEvent(QPaintEvent*) {
    if (!m_shown)
        return;
    const Colors& colors = Style::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.border);
    if (m_share) {
        painter.fillRect(QRectF(0, 0, width() * std::clamp(*m_share, 0.0, 1.0), height()), colors.accent);
        return;
    }
    const double phase = std::fmod(static_cast<double>(m_clock.elapsed()) / 1400.0, 1.0);
    painter.fillRect(QRectF(width() * (phase * 1.3 - 0.3), 0, width() * 0.3, height()), colors.accent);
}

}  // namespace unmask::ui
