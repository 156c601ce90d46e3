// SPDX-License-Identifier: Apache-2.0
// `train` in a session of its own, which outlives this program, its terminal and the studio. Returns when the run has
// begun or has failed to.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/places.h"
#include "engine/cli/output.h"
#include "engine/cli/run_options.h"
#include "engine/cli/subcommands.h"

namespace unmask {
namespace {

struct StartOptions {
    RunArguments run;
    bool json = false;
};

ChildProcess detach(const PreparedRun& run) {
    ChildOptions options;
    options.executable = executableFolder() / "unmask-engine";
    options.arguments = {"supervise", run.plan.folder.path.string()};
    if (run.plan.resume)
        options.arguments.emplace_back("--resume");
    for (const std::string& setting : run.plan.settings)
        options.arguments.push_back("--set=" + setting);
    for (char** entry = environ; entry && *entry; ++entry)
        options.environment.emplace_back(*entry);
    options.outputFile = run.plan.folder.logs() / "launch.log";
    options.ownSession = true;
    return ChildProcess::start(options);
}

bool begun(EventReader& reader, int64_t lastSeq) {
    for (auto records = reader.readRecords(lastSeq + 1); !records.empty(); records = reader.readRecords(lastSeq + 1)) {
        for (const EventRecord& record : records) {
            if (std::holds_alternative<StartedEvent>(record.event) ||
                std::holds_alternative<ResumedEvent>(record.event))
                return true;
        }
    }
    return false;
}

void report(const PreparedRun& run, int64_t pid, bool asJson) {
    const std::string folder = run.plan.folder.path.string();
    if (asJson) {
        Json json;
        json["folder"] = folder;
        json["id"] = run.description.id;
        json["pid"] = pid;
        if (run.finished)
            json["finished"] = true;
        if (!run.note.empty())
            json["note"] = run.note;
        printLine(dumpLine(json));
        return;
    }
    if (!run.note.empty())
        printLine(run.note);
    printLine("Run folder: " + folder);
    printLine("Id: " + run.description.id);
    if (pid > 0)
        printLine("Process: " + std::to_string(pid) + " (it goes on when this terminal closes)");
}

// The reason of a run that ended before it began.
std::string whyEnded(const PreparedRun& run, const ExitStatus& status) {
    const auto record = readExitRecord(run.plan.folder);
    if (record && record->exitCode == status.asShellCode() && !record->reason.empty())
        return record->reason;
    const std::string log = logTail(run.plan.folder.logs() / "launch.log", 0, 3);
    return log.empty() ? "the run ended with code " + std::to_string(status.asShellCode()) : log;
}

int start(const StartOptions& options) {
    const auto say = [&options](const std::string& line) {
        if (!options.json)
            printLine(line);
    };
    const PreparedRun run = prepareRun(options.run, say);
    if (run.finished) {
        report(run, 0, options.json);
        return 0;
    }
    ChildProcess supervisor = [&run] {
        try {
            return detach(run);
        } catch (...) {
            withdrawRun(run);
            throw;
        }
    }();
    EventReader reader(run.plan.folder);
    for (;;) {
        const auto ended = supervisor.poll();  // asked before the journal, so that its last words are not missed
        if (begun(reader, run.lastSeq)) {
            report(run, supervisor.pid(), options.json);
            return 0;
        }
        if (ended) {
            const std::string reason = whyEnded(run, *ended);
            if (ended->asShellCode() == static_cast<int>(ErrorCode::badInput))
                withdrawRun(run);
            complain(plainMessage(harmless(reason)));
            return ended->asShellCode();
        }
        usleep(20'000);
    }
}

}  // namespace

void addStart(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<StartOptions>();
    CLI::App* command = app.add_subcommand("start", "Train in the background; takes the arguments of train");
    addRunOptions(*command, options->run);
    command->add_flag("--json", options->json, "Print folder, id and process as JSON");
    command->callback([command, options, &chosen] {
        refuseUnknown(*command);
        chosen = [options] { return start(*options); };
    });
}

}  // namespace unmask
