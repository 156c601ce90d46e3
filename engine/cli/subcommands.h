// SPDX-License-Identifier: Apache-2.0
// The subcommands of unmask-engine, one file each. Each adds its arguments to the program and, when it was typed, puts
// what is to be done into `chosen`; faults leave as Error and are told in main.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace unmask {

using Action = std::function<int()>;  // returns the exit code

void addTrain(CLI::App& app, Action& chosen);
void addStart(CLI::App& app, Action& chosen);
void addSupervise(CLI::App& app, Action& chosen);  // what `start` leaves behind; not for people
void addAttach(CLI::App& app, Action& chosen);
void addStatus(CLI::App& app, Action& chosen);
void addCommand(CLI::App& app, Action& chosen);
void addPlan(CLI::App& app, Action& chosen);
void addData(CLI::App& app, Action& chosen);
void addDoctor(CLI::App& app, Action& chosen);
void addSettings(CLI::App& app, Action& chosen);
void addHandOver(CLI::App& app, Action& chosen);  // sample, eval, bench: the worker does them

}  // namespace unmask
