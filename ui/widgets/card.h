// SPDX-License-Identifier: Apache-2.0
// A surface with a heading, a row for small controls beside it, and a body.
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace unmask::ui {

class Card : public QFrame {
    Q_OBJECT
 public:
    explicit Card(QWidget* parent = nullptr);
    explicit Card(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);  // empty hides the heading row
    QVBoxLayout* body() const { return m_body; }
    void addHeaderWidget(QWidget* widget);  // at the right of the heading

 private:
    void applyMetrics();

    QLabel* m_title;
    QWidget* m_header;
    QHBoxLayout* m_headerRow;
    QVBoxLayout* m_outer;
    QVBoxLayout* m_body;
};

}  // namespace unmask::ui
