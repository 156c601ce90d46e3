// SPDX-License-Identifier: Apache-2.0
// Trains in the foreground: starts the worker, draws its progress, passes Ctrl-C on, and ends with its exit code.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/text.h"
#include "engine/cli/output.h"
#include "engine/cli/prepare_run.h"
#include "engine/cli/progress_view.h"
#include "engine/cli/run_options.h"
#include "engine/cli/subcommands.h"
#include "engine/cli/supervise_loop.h"

namespace unmask {
namespace {

void tellSignal(ProgressView& view, int signal, int count) {
    if (count == 1)
        view.say((signal == SIGINT ? "Stopping" : "Asked to end") +
                 std::string(": the state is saved first. Once more ends without saving."));
    else
        view.say("Ending without saving.");
}

// Text by the trained model, where the run itself wrote none.
void printFinalSample(const PreparedRun& run) {
    printLine("Generated text:");
    ChildOptions options;
    options.executable = run.worker.executable;
    options.arguments = {"sample", "--run", run.plan.folder.path.string()};
    options.environment = workerEnvironment(run.worker, run.plan.threads);
    options.deathSignal = SIGTERM;
    ChildProcess::start(options).wait();
}

void printEnd(const PreparedRun& run, const Supervisor& supervisor, const ProgressState& state) {
    const ExitRecord& record = supervisor.end().record;
    std::string line;
    if (record.exitCode == 0)
        line = "Finished: " + std::to_string(record.lastStep) + (record.lastStep == 1 ? " step in " : " steps in ") +
               formatDuration(state.elapsedSeconds);
    else if (record.outcome == "stopped")
        line = "Stopped at step " + std::to_string(record.lastStep);
    else
        line = "Failed at step " + std::to_string(record.lastStep);
    if (record.exitCode != 0 && !record.reason.empty())
        line += ": " + plainMessage(record.reason);
    printLine(harmless(line));
    printLine("Run folder: " + run.plan.folder.path.string());
    if (record.exitCode != 0)
        printLine("To go on: unmask-engine train --run '" + run.plan.folder.path.string() + "' --resume");
}

int superviseWithProgress(const PreparedRun& run) {
    ProgressView view(run.plan.folder, run.spec.training.steps, run.lastSeq);
    Supervisor supervisor(run.worker, run.plan, [&view](const std::string& line) { view.say(line); });
    superviseUntilEnd(
        supervisor, [&view] { view.update(); }, [&view](int signal, int count) { tellSignal(view, signal, count); });
    view.finish();
    const ExitRecord& record = supervisor.end().record;
    const bool refusedInput = record.exitCode == static_cast<int64_t>(ErrorCode::badInput);
    if (refusedInput && !supervisor.end().wroteRecords && withdrawRun(run)) {
        complain(plainMessage(harmless(record.reason)));
        return supervisor.exitCode();
    }
    if (record.exitCode == 0 && !view.sawSample())
        printFinalSample(run);
    printEnd(run, supervisor, view.state());
    return supervisor.exitCode();
}

int train(const RunArguments& arguments) {
    signal(SIGPIPE, SIG_IGN);  // a closed pipe ends the picture, not the training
    const PreparedRun run = prepareRun(arguments, printLine);
    if (run.finished) {
        printLine(run.note);
        printLine("Run folder: " + run.plan.folder.path.string());
        return 0;
    }
    printLine("Run folder: " + run.plan.folder.path.string());
    try {
        return superviseWithProgress(run);
    } catch (...) {
        withdrawRun(run);
        throw;
    }
}

}  // namespace

void addTrain(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("train", "Train, or go on training, in this terminal");
    addRunOptions(*command, *arguments);
    command->callback([command, arguments, &chosen] {
        refuseUnknown(*command);
        chosen = [arguments] { return train(*arguments); };
    });
}

}  // namespace unmask
