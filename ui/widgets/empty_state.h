// SPDX-License-Identifier: Apache-2.0
// A page without content: one sentence on what it is for, and one main button.
#pragma once

#include <QWidget>

#include "ui/style/icons.h"

class QLabel;
class QPushButton;

namespace unmask::ui {

class EmptyState final : public QWidget {
    Q_OBJECT
 public:
    explicit EmptyState(Icon picture, QWidget* parent = nullptr);

    void setTexts(const QString& sentence, const QString& buttonText, const QString& secondButtonText = {});

 Q_SIGNALS:
    void mainRequested();
    void secondRequested();

 private:
    void restyle();

    Icon m_picture;
    QLabel* m_icon;
    QLabel* m_sentence;
    QPushButton* m_main;
    QPushButton* m_second;
};

}  // namespace unmask::ui
