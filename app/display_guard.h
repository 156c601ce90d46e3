// SPDX-License-Identifier: Apache-2.0
// Where no display answers, Qt ends a program with a page of its own words and a core dump. Between these two calls,
// around the making of the QApplication, one sentence on standard error and exit code 1 take that place.
#pragma once

#include <QStringList>

namespace unmask::ui {

void watchForDisplay();
void displayAnswered();  // what Qt had to say meanwhile is said now

// For people, in the desktop's language. `qtSaid`: Qt's messages up to its end, oldest first.
QString noDisplaySentence(const QStringList& qtSaid);

}  // namespace unmask::ui
