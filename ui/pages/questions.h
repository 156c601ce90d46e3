// SPDX-License-Identifier: Apache-2.0
// Small dialogs that ask for one thing and never hold the event loop: the answer arrives by call.
#pragma once

#include <QString>
#include <functional>

class QObject;
class QWidget;

namespace unmask::ui {

// `context`: no call comes after its death. Cancelled questions are never answered.
void askForText(QWidget* window, const QString& title, const QString& label, const QString& text, QObject* context,
                std::function<void(const QString&)> answer);
void askForMoreSteps(QWidget* window, const QString& runName, qint64 planned, QObject* context,
                     std::function<void(qint64)> answer);

}  // namespace unmask::ui
