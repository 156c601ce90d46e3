// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/state_badge.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>
#include <array>

#include "ui/style/icons.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

struct Row {
    const char* state;
    const char* word;  // English source; translated in the context StateBadge
    StateTone tone;
    bool filled;
    Icon icon;
};

// One row a state: lifecycle first, then the link to a run.
constexpr std::array kRows{
    Row{"draft", QT_TRANSLATE_NOOP("StateBadge", "Draft"), StateTone::neutral, false, Icon::newRun},
    Row{"queued", QT_TRANSLATE_NOOP("StateBadge", "Queued"), StateTone::neutral, false, Icon::clock},
    Row{"waiting", QT_TRANSLATE_NOOP("StateBadge", "Waiting for GPU"), StateTone::waiting, false, Icon::clock},
    Row{"uploading", QT_TRANSLATE_NOOP("StateBadge", "Uploading"), StateTone::waiting, false, Icon::exportFile},
    Row{"starting", QT_TRANSLATE_NOOP("StateBadge", "Starting"), StateTone::active, false, Icon::clock},
    Row{"running", QT_TRANSLATE_NOOP("StateBadge", "Running"), StateTone::active, true, Icon::play},
    Row{"pausing", QT_TRANSLATE_NOOP("StateBadge", "Pausing"), StateTone::waiting, false, Icon::pause},
    Row{"paused", QT_TRANSLATE_NOOP("StateBadge", "Paused"), StateTone::waiting, true, Icon::pause},
    Row{"stopping", QT_TRANSLATE_NOOP("StateBadge", "Stopping"), StateTone::waiting, false, Icon::stop},
    Row{"finished", QT_TRANSLATE_NOOP("StateBadge", "Finished"), StateTone::good, false, Icon::check},
    Row{"stopped", QT_TRANSLATE_NOOP("StateBadge", "Stopped"), StateTone::neutral, false, Icon::stop},
    Row{"failed", QT_TRANSLATE_NOOP("StateBadge", "Failed"), StateTone::bad, false, Icon::error},
    Row{"interrupted", QT_TRANSLATE_NOOP("StateBadge", "Interrupted"), StateTone::warning, false, Icon::warning},
    Row{"imported", QT_TRANSLATE_NOOP("StateBadge", "Imported"), StateTone::neutral, false, Icon::folder},
    Row{"live", QT_TRANSLATE_NOOP("StateBadge", "Live"), StateTone::good, false, Icon::link},
    Row{"stalled", QT_TRANSLATE_NOOP("StateBadge", "Stalled"), StateTone::warning, false, Icon::warning},
    Row{"unreachable", QT_TRANSLATE_NOOP("StateBadge", "Unreachable"), StateTone::warning, false, Icon::unlink},
    Row{"lost", QT_TRANSLATE_NOOP("StateBadge", "Lost"), StateTone::bad, false, Icon::question},
};

const Row* rowOf(const QString& state) {
    for (const Row& row : kRows)
        if (state == QLatin1String(row.state))
            return &row;
    return nullptr;
}

}  // namespace

StateLook lookOfState(const QString& state) {
    if (const Row* row = rowOf(state))
        return {QCoreApplication::translate("StateBadge", row->word), row->tone, row->filled};
    return {state, StateTone::neutral, false};
}

QColor toneColor(StateTone tone) {
    const Colors& colors = Style::instance().colors();
    switch (tone) {
        case StateTone::active:
            return colors.accent;
        case StateTone::waiting:
            return colors.info;
        case StateTone::good:
            return colors.success;
        case StateTone::warning:
            return colors.warning;
        case StateTone::bad:
            return colors.danger;
        case StateTone::neutral:
            break;
    }
    return colors.textMuted;
}

QColor toneSoftColor(StateTone tone) {
    const Colors& colors = Style::instance().colors();
    switch (tone) {
        case StateTone::active:
            return colors.accentSoft;
        case StateTone::waiting:
            return colors.infoSoft;
        case StateTone::good:
            return colors.successSoft;
        case StateTone::warning:
            return colors.warningSoft;
        case StateTone::bad:
            return colors.dangerSoft;
        case StateTone::neutral:
            break;
    }
    return colors.raised;
}

void paintStateMark(QPainter& painter, const QRectF& box, const QString& state, const QColor& color) {
    const Row* row = rowOf(state);
    paintIcon(painter, row ? row->icon : Icon::question, box, color);
}

QIcon stateIcon(const QString& state, int pixels) {
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintStateMark(painter, QRectF(0, 0, pixels, pixels), state, toneColor(lookOfState(state).tone));
    return QIcon(pixmap);
}

StateBadge::StateBadge(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Style::instance(), &Style::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void StateBadge::setState(const QString& state) {
    m_state = state;
    m_look = lookOfState(state);
    setAccessibleName(tr("State: %1").arg(m_look.word));
    updateGeometry();
    update();
}

QSize StateBadge::sizeHint() const {
    const Style& style = Style::instance();
    const QFontMetrics metrics(style.font(FontRole::caption));
    return {metrics.horizontalAdvance(m_look.word) + style.px(2.5), metrics.height() + style.px(0.3)};
}

void StateBadge::paintEvent(QPaintEvent*) {
    const Style& style = Style::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = toneColor(m_look.tone);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(m_look.filled ? color : mix(toneSoftColor(m_look.tone), color, 0.35), 1));
    painter.setBrush(m_look.filled ? color : toneSoftColor(m_look.tone));
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
    const QColor ink = m_look.filled ? style.colors().surface : color;
    const double side = style.px(0.95);
    const QRectF mark(style.px(0.55), (height() - side) / 2, side, side);
    paintStateMark(painter, mark, m_state, ink);
    painter.setFont(style.font(FontRole::caption));
    painter.setPen(ink);
    painter.drawText(QRectF(mark.right() + style.px(0.3), 0, width(), height()), Qt::AlignVCenter, m_look.word);
}

void StateBadge::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        setState(m_state);
    QWidget::changeEvent(event);
}

}  // namespace unmask::ui
