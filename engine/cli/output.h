// SPDX-License-Identifier: Apache-2.0
// What goes to the terminal or the pipe. A reader that goes away ends the writing, never the program by a signal.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace unmask {

// Everything at once, unbuffered; false when nobody reads any more.
bool writeOut(std::string_view bytes);
void printLine(std::string_view line);  // to standard output
// To standard error, as "unmask-engine: …". Where a program reads it, all is one line.
void complain(std::string_view message);

bool isTerminal(int descriptor);
int terminalWidth();  // columns of standard output; 80 when unknown

}  // namespace unmask
