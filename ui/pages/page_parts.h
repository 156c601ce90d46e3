// SPDX-License-Identifier: Apache-2.0
// Small pieces that every page builds from.
#pragma once

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/icons.h"

namespace unmask::ui {

void keepIcon(QAbstractButton* button, Icon which);  // made again when the theme changes
QPushButton* makeButton(QWidget* parent, std::optional<Icon> which = {}, const char* role = nullptr);
QToolButton* makeToolButton(QWidget* parent, Icon which);  // quiet, icon alone
QLabel* makeLabel(QWidget* parent, const char* role = nullptr);
QLabel* makeWrappingLabel(QWidget* parent, const char* role = nullptr);

QVBoxLayout* makePageColumn(QWidget* page);  // margins of a page
QScrollArea* makeScroll(QWidget* content);   // vertical, without a frame

}  // namespace unmask::ui
