// SPDX-License-Identifier: Apache-2.0
// The state of a run: a word, an icon and a colour, so that colour is never the only sign.
#pragma once

#include <QIcon>
#include <QString>
#include <QWidget>

namespace unmask::ui {

enum class StateTone { neutral, active, waiting, good, warning, bad };

struct StateLook {
    QString word;
    StateTone tone = StateTone::neutral;
    bool filled = false;  // running things are filled, ended ones outlined
};

// Known words: draft, queued, waiting, uploading, starting, running, pausing, paused, stopping, finished, stopped,
// failed, interrupted, imported, live, stalled, unreachable, lost. Others are shown as they are.
StateLook lookOfState(const QString& state);
QColor toneColor(StateTone tone);
QColor toneSoftColor(StateTone tone);
QIcon stateIcon(const QString& state, int pixels);  // for table cells
void paintStateMark(QPainter& painter, const QRectF& box, const QString& state, const QColor& color);

class StateBadge final : public QWidget {
    Q_OBJECT
 public:
    explicit StateBadge(QWidget* parent = nullptr);

    void setState(const QString& state);  // a word of the list above
    QString state() const { return m_state; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

 private:
    QString m_state;
    StateLook m_look;
};

}  // namespace unmask::ui
