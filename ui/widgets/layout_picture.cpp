// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/layout_picture.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/layout_card.h"

namespace unmask::ui {

namespace {

constexpr qint64 kMostCards = 24;
constexpr qint64 kMostTiles = 512;
constexpr double kFramePadEms = 0.45;
constexpr double kFrameGapEms = 0.7;
constexpr double kCardGapEms = 0.5;
constexpr double kTileGapEms = 0.25;
constexpr double kWidestCardEms = 22;

int evenColumns(qint64 count, int most) {
    const qint64 rows = (count + most - 1) / most;
    return static_cast<int>((count + rows - 1) / rows);
}

}  // namespace

LayoutPicture::LayoutPicture(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Style::instance(), &Style::changed, this, [this] {
        m_placedWidth = -1;
        updateGeometry();
        update();
    });
    describe();
}

void LayoutPicture::setScene(const LayoutScene& scene) {
    m_scene = scene;
    m_placedWidth = -1;
    const qint64 last = shownDevices() - 1;
    if (m_current > last) {
        m_current = std::max<qint64>(0, last);
        Q_EMIT currentChanged(m_current);
    }
    describe();
    updateGeometry();
    update();
}

int LayoutPicture::shownDevices() const {
    const qint64 all = std::max(m_scene.devices(), m_scene.ranks());
    if (all <= kMostTiles)
        return static_cast<int>(all);
    const qint64 nodes = std::max<qint64>(1, kMostTiles / m_scene.perNode);  // whole ones
    return static_cast<int>(std::min({all, nodes * m_scene.perNode, kMostTiles}));
}

bool LayoutPicture::showsCards() const {
    return std::max(m_scene.devices(), m_scene.ranks()) <= kMostCards;
}

// Nodes one after another; as many side by side as fit, the devices of a node in even rows.
LayoutPicture::Placement LayoutPicture::place(double width) const {
    const Style& style = Style::instance();
    const bool cards = showsCards();
    const double least = cards ? deviceCardWidth(m_scene) : deviceTileSize();
    const double height = cards ? deviceCardHeight() : deviceTileSize();
    const double gap = style.px(cards ? kCardGapEms : kTileGapEms);
    const double frameGap = style.px(kFrameGapEms);
    const bool framed = m_scene.nodes > 1 || m_scene.ranks() > m_scene.devices();
    const double pad = framed ? style.px(kFramePadEms) : 0;
    const double titleHeight = framed ? QFontMetrics(style.font(FontRole::caption)).height() + style.px(0.2) : 0;
    const double inner = width - 1 - 2 * pad;
    const int most = std::max(1, static_cast<int>((inner + gap) / (least + gap)));
    const int columns = evenColumns(m_scene.perNode, most);
    const double frameLeast = columns * least + (columns - 1) * gap + 2 * pad;
    const int frames = m_scene.nodes > 1 && columns == m_scene.perNode
                           ? std::max(1, static_cast<int>((width - 1 + frameGap) / (frameLeast + frameGap)))
                           : 1;
    const int sideBySide = evenColumns(std::max<qint64>(1, m_scene.nodes), frames);
    double device = std::min(least, inner);
    if (cards) {
        const double frameWidth = (width - 1 - (sideBySide - 1) * frameGap) / sideBySide;
        device = std::min<double>(style.px(kWidestCardEms), (frameWidth - 2 * pad - (columns - 1) * gap) / columns);
    }
    const double frameWidth = columns * device + (columns - 1) * gap + 2 * pad;

    Placement placed;
    const int shown = shownDevices();
    double top = 0.5;
    int inRow = 0;
    double rowBottom = top;
    for (qint64 first = 0; first < shown;) {
        const bool missing = first >= m_scene.devices();
        const qint64 count = std::min<qint64>(missing ? shown - first : m_scene.perNode, shown - first);
        if (inRow == sideBySide || (missing && inRow > 0)) {
            inRow = 0;
            top = rowBottom + frameGap;
        }
        const double left = 0.5 + inRow * (frameWidth + frameGap);
        const qint64 rows = (count + columns - 1) / columns;
        const QRectF box(
            left, top, frameWidth,
            2 * pad + titleHeight + static_cast<double>(rows) * height + static_cast<double>(rows - 1) * gap);
        for (qint64 i = 0; i < count; ++i)
            placed.devices.append(QRectF(left + pad + static_cast<double>(i % columns) * (device + gap),
                                         top + pad + titleHeight + static_cast<double>(i / columns) * (height + gap),
                                         device, height));
        if (framed)
            placed.frames.append(
                {box, missing ? tr("Not there") : tr("Node %1").arg(QLocale().toString(first / m_scene.perNode + 1))});
        rowBottom = std::max(rowBottom, box.bottom());
        first += count;
        ++inRow;
    }
    placed.height = rowBottom + 0.5;
    const qint64 all = std::max(m_scene.devices(), m_scene.ranks());
    if (all > shown) {
        const double line = QFontMetrics(style.font(FontRole::caption)).height();
        placed.rest = tr("… and %1 more devices").arg(QLocale().toString(all - shown));
        placed.restBox = QRectF(0, placed.height + style.px(0.3), width, line);
        placed.height = placed.restBox.bottom();
    }
    return placed;
}

const LayoutPicture::Placement& LayoutPicture::placement() const {
    if (m_placedWidth != width()) {
        m_placement = place(width());
        m_placedWidth = width();
    }
    return m_placement;
}

QRectF LayoutPicture::boxOf(int shown) const {
    return placement().devices.value(shown);
}

int LayoutPicture::heightForWidth(int width) const {
    return static_cast<int>(std::ceil(place(width).height));
}

QSize LayoutPicture::sizeHint() const {
    const int width = Style::instance().px(40);
    return {width, heightForWidth(width)};
}

QSize LayoutPicture::minimumSizeHint() const {
    return {static_cast<int>(deviceTileSize()) + 2 * Style::instance().px(kFramePadEms) + 2, Style::instance().px(3)};
}

void LayoutPicture::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Placement& placed = placement();
    for (const Frame& frame : placed.frames) {
        painter.setBrush(colors.sunken);
        painter.setPen(QPen(colors.border, 1));
        painter.drawRoundedRect(frame.box, style.px(0.6), style.px(0.6));
        painter.setPen(colors.textMuted);
        painter.setFont(style.font(FontRole::caption));
        const double pad = style.px(kFramePadEms);
        painter.drawText(frame.box.adjusted(pad, pad / 2, -pad, 0), Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(frame.title, Qt::ElideRight,
                                                          static_cast<int>(frame.box.width() - 2 * pad)));
    }
    const bool cards = showsCards();
    for (qsizetype i = 0; i < placed.devices.size(); ++i)
        (cards ? paintDeviceCard : paintDeviceTile)(painter, placed.devices[i], m_scene, i);
    if (hasFocus() && m_current < placed.devices.size()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 2));
        painter.drawRoundedRect(placed.devices[m_current], style.px(0.45), style.px(0.45));
    }
    painter.setPen(colors.textMuted);
    painter.setFont(style.font(FontRole::caption));
    painter.drawText(placed.restBox, Qt::AlignLeft | Qt::AlignVCenter, placed.rest);
}

int LayoutPicture::deviceAt(const QPointF& point) const {
    const QVector<QRectF>& boxes = placement().devices;
    const auto at = std::find_if(boxes.begin(), boxes.end(), [&](const QRectF& box) { return box.contains(point); });
    return at == boxes.end() ? -1 : static_cast<int>(at - boxes.begin());
}

void LayoutPicture::setCurrent(qint64 device) {
    const qint64 next = std::clamp<qint64>(device, 0, std::max(0, shownDevices() - 1));
    if (next == m_current)
        return;
    m_current = next;
    describe();
    update();
    Q_EMIT currentChanged(m_current);
}

void LayoutPicture::keyPressEvent(QKeyEvent* event) {
    const QVector<QRectF>& boxes = placement().devices;
    const auto vertically = [&](int direction) {
        const QPointF from = boxes.value(m_current).center();
        qsizetype best = -1;
        double nearest = 0;
        for (qsizetype i = 0; i < boxes.size(); ++i) {
            const QPointF to = boxes[i].center();
            const double down = (to.y() - from.y()) * direction;
            const double distance = down * 1e4 + std::abs(to.x() - from.x());  // the next row first
            if (down > 1 && (best < 0 || distance < nearest)) {
                best = i;
                nearest = distance;
            }
        }
        if (best >= 0)
            setCurrent(best);
    };
    switch (event->key()) {
        case Qt::Key_Left:
            return setCurrent(m_current - 1);
        case Qt::Key_Right:
            return setCurrent(m_current + 1);
        case Qt::Key_Up:
            return vertically(-1);
        case Qt::Key_Down:
            return vertically(1);
        case Qt::Key_Home:
            return setCurrent(0);
        case Qt::Key_End:
            return setCurrent(shownDevices() - 1);
        default:
            QWidget::keyPressEvent(event);
    }
}

void LayoutPicture::mousePressEvent(QMouseEvent* event) {
    const int device = deviceAt(event->position());
    if (device >= 0)
        setCurrent(device);
    QWidget::mousePressEvent(event);
}

QString LayoutPicture::currentWords() const {
    const QString between = uiLanguage() == Language::chinese ? QString() : QStringLiteral(" ");
    return deviceSentences(m_scene, m_current).join(between);
}

void LayoutPicture::describe() {
    setAccessibleName(tr("Picture of the layout: %1 ranks on %2 devices")
                          .arg(QLocale().toString(m_scene.ranks()), QLocale().toString(m_scene.devices())));
    setAccessibleDescription(currentWords());
}

void LayoutPicture::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        m_placedWidth = -1;
        describe();
        updateGeometry();
        update();
    }
    QWidget::changeEvent(event);
}

bool LayoutPicture::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int device = deviceAt(help->pos());
        if (device < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), deviceSentences(m_scene, device).join(QLatin1Char('\n')), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace unmask::ui
