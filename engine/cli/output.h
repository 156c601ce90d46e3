// SPDX-License-Identifier: Apache-2.0
// What goes to the terminal or the pipe. A reader that goes away ends the writing, never the program by a signal.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace unmask {

// Everything at once, unbuffered; false when nobody reads any more.
bool writeOut(std::string_view bytes);
void printLine(std::string_view line);  // to standard output
// To standard error, as "unmask-engine: …". Where a program reads it, all is one line.
void complain(std::string_view message);

std::string plainMessage(const std::string& message);  // without the component in brackets
inline std::string plainMessage(const Error& error) {
    return plainMessage(std::string(error.what()));
}
bool isTerminal(int descriptor);
int terminalWidth();  // columns of standard output; 80 when unknown
// For text that others wrote (generated samples, log lines): control characters become visible, so that they cannot
// steer the terminal.
std::string harmless(std::string_view text);

}  // namespace unmask
