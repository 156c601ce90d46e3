// SPDX-License-Identifier: Apache-2.0
// What `start` leaves behind: supervises a run that is already prepared, without a terminal. Its output is the run's
// logs/launch.log.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/clock.h"
#include "engine/cli/output.h"
#include "engine/cli/resume_run.h"
#include "engine/cli/subcommands.h"
#include "engine/cli/supervise_loop.h"
#include "engine/protocol/settings.h"

namespace unmask {
namespace {

struct SuperviseOptions {
    std::string folder;
    bool resume = false;
    std::vector<std::string> settings;
};

void logLine(const std::string& line) {
    printLine(utcNow() + " " + line);
}

int supervise(const SuperviseOptions& options) {
    signal(SIGPIPE, SIG_IGN);
    const RunFolder folder = findRun(options.folder).orThrow();
    RunSpec spec = readRunDescription(folder).orThrow().spec;
    for (const std::string& setting : options.settings) {
        const size_t equals = setting.find('=');
        const Outcome outcome = setSettingFromText(spec, setting.substr(0, equals), setting.substr(equals + 1));
        if (!outcome)
            throw outcome.error();
    }
    Supervisor supervisor(findWorker(), launchPlan(folder, spec, options.resume, options.settings), logLine);
    logLine("Supervising " + folder.path.string());
    superviseUntilEnd(
        supervisor, [] {}, [](int signal, int) { logLine("Got " + signalName(signal)); });
    const ExitRecord& record = supervisor.end().record;
    logLine("Ended with code " + std::to_string(record.exitCode) + ": " + harmless(record.reason));
    return supervisor.exitCode();
}

}  // namespace

void addSupervise(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<SuperviseOptions>();
    CLI::App* command = app.add_subcommand("supervise", "Supervise a prepared run (used by start)");
    command->group("");  // not for people
    command->add_option("folder", options->folder)->required();
    command->add_flag("--resume", options->resume);
    command->add_option("--set", options->settings)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->callback([options, &chosen] { chosen = [options] { return supervise(*options); }; });
}

}  // namespace unmask
