// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/layout_card.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

struct LayoutCard {
    Q_DECLARE_TR_FUNCTIONS(LayoutCard)
};

constexpr double kNarrowestEms = 8.6;
constexpr double kPadEms = 0.45;
constexpr double kStripeEms = 0.5;
constexpr double kBadgeEms = 1.75;
constexpr double kStripEms = 0.95;
constexpr double kBarEms = 0.8;
constexpr double kGapEms = 0.3;
constexpr double kRoundEms = 0.45;
constexpr qint64 kMostSegments = 16;  // of a stripe; more stages would be hairlines

QString number(qint64 value) {
    return QLocale().toString(value);
}

QColor copyColor(qint64 copy) {
    return Style::instance().chartColors().series[static_cast<size_t>(copy % kSeriesColors)];
}

QColor textOn(const QColor& color) {
    return contrast(color, Qt::white) >= contrast(color, Qt::black) ? Qt::white : Qt::black;
}

int lineHeight(FontRole role) {
    return QFontMetrics(Style::instance().font(role)).height();
}

// Writes a line and moves `area` below it.
void writeLine(QPainter& painter, QRectF& area, const QString& text, FontRole role, const QColor& color) {
    painter.setFont(Style::instance().font(role));
    painter.setPen(color);
    const QFontMetrics metrics(painter.font());
    painter.drawText(QRectF(area.left(), area.top(), area.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideRight, static_cast<int>(area.width())));
    area.setTop(area.top() + metrics.height());
}

// All stages, this one filled: the place in the pipeline is seen without reading.
void paintStripe(QPainter& painter, const QRectF& stripe, const LayoutScene& scene, qint64 rank) {
    const Colors& colors = Style::instance().colors();
    const LayoutPlace place = scene.placeOf(rank);
    const qint64 segments = std::min(scene.stages, kMostSegments);
    const qint64 own = place.stage * segments / scene.stages;
    const double gap = segments > 1 ? 1.5 : 0;
    const double height = (stripe.height() - gap * static_cast<double>(segments - 1)) / static_cast<double>(segments);
    painter.setPen(Qt::NoPen);
    for (qint64 i = 0; i < segments; ++i) {
        painter.setBrush(i == own ? copyColor(place.copy) : colors.border);
        painter.drawRect(
            QRectF(stripe.left(), stripe.top() + static_cast<double>(i) * (height + gap), stripe.width(), height));
    }
}

// The model from its first block to its last; what this rank holds is filled, of shared layers its own slice.
void paintBlocks(QPainter& painter, const QRectF& strip, const LayoutScene& scene, qint64 rank) {
    const Colors& colors = Style::instance().colors();
    const LayoutPlace place = scene.placeOf(rank);
    const LayoutStage* holding = scene.holdingOf(rank);
    if (scene.layers <= 0)
        return;
    const double pitch = strip.width() / scene.layers;
    const double gap = pitch > 4 ? 1 : 0;
    const auto cell = [&](int layer) {
        return QRectF(strip.left() + layer * pitch, strip.top(), pitch - gap, strip.height());
    };
    for (int layer = 0; layer < scene.layers; ++layer)
        painter.fillRect(cell(layer), colors.raised);
    if (holding)
        for (const int layer : holding->layers) {
            QRectF held = cell(layer);
            const double part = held.height() / static_cast<double>(scene.slices);
            held.setTop(held.top() + part * static_cast<double>(place.slice));
            held.setHeight(std::max(1.0, part));
            painter.fillRect(held, copyColor(place.copy));
        }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.outline, 1));
    painter.drawRect(strip);
}

void paintBadge(QPainter& painter, const QRectF& box, const LayoutScene& scene, qint64 rank) {
    const LayoutPlace place = scene.placeOf(rank);
    const QColor color = copyColor(place.copy);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(box);
    painter.setPen(textOn(color));
    painter.setFont(Style::instance().font(FontRole::heading));
    painter.drawText(box, Qt::AlignCenter, number(place.slice + 1));
}

void paintFrame(QPainter& painter, const QRectF& box, DeviceUse use) {
    const Colors& colors = Style::instance().colors();
    const double round = Style::instance().px(kRoundEms);
    const bool missing = use == DeviceUse::missing;
    painter.setBrush(use == DeviceUse::rank ? QBrush(colors.surface)
                     : missing              ? QBrush(Qt::NoBrush)
                                            : QBrush(colors.border, Qt::BDiagPattern));
    painter.setPen(QPen(missing ? colors.danger : colors.outline, 1, missing ? Qt::DashLine : Qt::SolidLine));
    painter.drawRoundedRect(box, round, round);
}

QString memoryWords(const MemoryParts& memory) {
    if (memory.needed() <= 0)
        return {};
    if (memory.capacity <= 0)
        return numbers::memory(memory.needed());
    return LayoutCard::tr("%1 of %2").arg(numbers::memory(memory.needed()), numbers::memory(memory.capacity));
}

}  // namespace

double deviceCardHeight() {
    const Style& style = Style::instance();
    return 2 * style.px(kPadEms) + std::max(lineHeight(FontRole::heading), style.px(kBadgeEms)) +
           3 * lineHeight(FontRole::caption) + style.px(kStripEms) + style.px(kBarEms) + 4 * style.px(kGapEms);
}

double deviceCardWidth(const LayoutScene& scene) {
    const Style& style = Style::instance();
    const QFontMetrics metrics(style.font(FontRole::caption));
    const qint64 last = std::max<qint64>(0, scene.ranks() - 1);
    const double words = metrics.horizontalAdvance(placeWords(scene, last)) + 2;
    return std::max<double>(style.px(kNarrowestEms), words + 2 * style.px(kPadEms) + style.px(kStripeEms));
}

double deviceTileSize() {
    return Style::instance().px(2.6);
}

void paintDeviceCard(QPainter& painter, const QRectF& box, const LayoutScene& scene, qint64 device) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    const DeviceUse use = useOf(scene, device);
    paintFrame(painter, box, use);
    const double pad = style.px(kPadEms);
    const double gap = style.px(kGapEms);
    QRectF area = box.adjusted(pad, pad, -pad, -pad);
    if (use == DeviceUse::idle)
        return writeLine(painter, area, LayoutCard::tr("idle"), FontRole::heading, colors.textMuted);
    if (use == DeviceUse::missing) {
        writeLine(painter, area, LayoutCard::tr("Rank %1").arg(number(device)), FontRole::heading, colors.danger);
        return writeLine(painter, area, LayoutCard::tr("no device"), FontRole::caption, colors.danger);
    }
    painter.save();
    QPainterPath round;
    round.addRoundedRect(box, style.px(kRoundEms), style.px(kRoundEms));
    painter.setClipPath(round, Qt::IntersectClip);
    paintStripe(painter, QRectF(box.left(), box.top(), style.px(kStripeEms), box.height()), scene, device);
    painter.restore();
    area.setLeft(area.left() + style.px(kStripeEms));

    const double badge = style.px(kBadgeEms);
    paintBadge(painter, QRectF(area.right() - badge, area.top(), badge, badge), scene, device);
    const double head = std::max<double>(lineHeight(FontRole::heading), badge);
    QRectF title = area.adjusted(0, (head - lineHeight(FontRole::heading)) / 2, -badge - gap, 0);
    writeLine(painter, title, LayoutCard::tr("Rank %1").arg(number(device)), FontRole::heading, colors.text);
    area.setTop(area.top() + head + gap);
    writeLine(painter, area, placeWords(scene, device), FontRole::caption, colors.textMuted);
    area.setTop(area.top() + gap);
    paintBlocks(painter, QRectF(area.left(), area.top(), area.width(), style.px(kStripEms)), scene, device);
    area.setTop(area.top() + style.px(kStripEms));
    const LayoutStage* holding = scene.holdingOf(device);
    const QString layers = holding && !holding->layers.isEmpty()
                               ? LayoutCard::tr("layers %1").arg(layerRanges(holding->layers))
                               : QString();
    writeLine(painter, area, layers, FontRole::caption, colors.textMuted);
    const MemoryParts memory = scene.memoryOf(device);
    if (memory.needed() <= 0)
        return;
    area.setTop(area.top() + gap);
    paintMemory(painter, QRectF(area.left(), area.top(), area.width(), style.px(kBarEms)), memory);
    area.setTop(area.top() + style.px(kBarEms) + gap);
    writeLine(painter, area, memoryWords(memory), FontRole::caption, memory.fits() ? colors.textMuted : colors.danger);
}

void paintDeviceTile(QPainter& painter, const QRectF& box, const LayoutScene& scene, qint64 device) {
    const Style& style = Style::instance();
    const Colors& colors = style.colors();
    const DeviceUse use = useOf(scene, device);
    paintFrame(painter, box, use);
    if (use != DeviceUse::rank)
        return;
    const LayoutPlace place = scene.placeOf(device);
    painter.save();
    QPainterPath round;
    round.addRoundedRect(box, style.px(kRoundEms), style.px(kRoundEms));
    painter.setClipPath(round, Qt::IntersectClip);
    painter.fillRect(box, mix(colors.surface, copyColor(place.copy), 0.28));
    paintStripe(painter, QRectF(box.left(), box.top(), style.px(0.4), box.height()), scene, device);
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(scene.memoryOf(device).fits() ? copyColor(place.copy) : colors.danger, 1));
    painter.drawRoundedRect(box, style.px(kRoundEms), style.px(kRoundEms));
    painter.setPen(colors.text);
    painter.setFont(style.font(FontRole::body));
    painter.drawText(box.adjusted(style.px(0.4), 0, 0, 0), Qt::AlignCenter, number(place.slice + 1));
}

}  // namespace unmask::ui
