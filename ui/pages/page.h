// SPDX-License-Identifier: Apache-2.0
// One room of the studio. A page knows the services it was given and asks for other pages through the Navigator.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

namespace unmask::ui {

enum class PageId { runs, newRun, live, compare, settings };

class Page : public QWidget {
    Q_OBJECT
 public:
    using QWidget::QWidget;

    virtual void entered() {}  // it is the one people see now
    virtual void left() {}     // another page is shown; nothing needs drawing
};

}  // namespace unmask::ui
