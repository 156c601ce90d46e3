// SPDX-License-Identifier: Apache-2.0
// One line of text that shortens itself with "…" and keeps the whole in its tooltip. Knows the roles "title" and
// "caption".
#pragma once

#include <QFrame>

namespace unmask::ui {

class ElidedLabel final : public QFrame {
    Q_OBJECT
 public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const { return m_text; }
    void setElideMode(Qt::TextElideMode mode);
    bool elided() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

 private:
    QFont shownFont() const;

    QString m_text;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

}  // namespace unmask::ui
