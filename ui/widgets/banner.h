// SPDX-License-Identifier: Apache-2.0
// Banner: a message across the top of a page, with up to two actions and a fold for details. Toast: a short message
// over the lower edge of a window that leaves by itself.
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QPushButton;
class QToolButton;

namespace unmask::ui {

enum class BannerKind { info, success, warning, danger };

class Banner final : public QFrame {
    Q_OBJECT
 public:
    explicit Banner(QWidget* parent = nullptr);  // hidden until showMessage

    void showMessage(BannerKind kind, const QString& sentence, const QString& details = {});
    void setActions(const QString& first, const QString& second = {});
    void setClosable(bool closable);
    QString sentence() const;

 Q_SIGNALS:
    void firstRequested();
    void secondRequested();
    void closed();

 private:
    void restyle();

    BannerKind m_kind = BannerKind::info;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_details;
    QToolButton* m_fold;
    QPushButton* m_first;
    QPushButton* m_second;
    QToolButton* m_close;
};

class Toast final : public QFrame {
    Q_OBJECT
 public:
    explicit Toast(QWidget* window);

    void showMessage(BannerKind kind, const QString& sentence, int milliseconds = 5000);
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void place();

    QLabel* m_icon;
    QLabel* m_text;
    QTimer m_timer;
};

}  // namespace unmask::ui
