// SPDX-License-Identifier: Apache-2.0
// One command to a running run, and its answer from the journal.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/cli/control_client.h"
#include "engine/cli/output.h"
#include "engine/cli/subcommands.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_lock.h"
#include "engine/protocol/settings.h"

namespace unmask {
namespace {

constexpr double kPatienceSeconds = 60;  // a step of a large model may take long, and commands act between steps

struct CommandOptions {
    std::string run;
    std::string word;
    std::string change;  // set: NAME=VALUE
    bool saveFirst = true;
};

void readChange(Command& command, const std::string& change) {
    const size_t equals = change.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error(ErrorCode::badInput, "[cli] set takes NAME=VALUE, for example training.steps=2000");
    const Setting* setting = findSetting(change.substr(0, equals)).orThrow();
    RunSpec scratch;  // the text becomes the value that the setting's type has
    const Outcome outcome = setSettingFromText(scratch, setting->path, change.substr(equals + 1));
    if (!outcome)
        throw outcome.error();
    if (!setting->info.changeable)
        throw Error(ErrorCode::badInput, "[cli] " + setting->path + " cannot change while a run is running");
    command.setting = setting->path;
    command.value = getSetting(scratch, setting->path);
}

Command toCommand(const CommandOptions& options) {
    Json json;
    json["id"] = newCommandId();
    json["command"] = options.word;
    json["checkpoint"] = options.saveFirst;
    json["setting"] = "";
    json["value"] = nullptr;
    Command command = decodeCommand(dumpLine(json)).orThrow();
    if (command.kind == CommandKind::set)
        readChange(command, options.change);
    else if (!options.change.empty())
        throw Error(ErrorCode::badInput, "[cli] " + options.word + " takes nothing after it");
    return command;
}

const CommandEvent* answerIn(const std::vector<EventRecord>& records, const std::string& id) {
    for (const EventRecord& record : records) {
        const auto* answer = std::get_if<CommandEvent>(&record.event);
        if (answer && answer->id == id)
            return answer;
    }
    return nullptr;
}

// A run that has begun listens a moment later: until then it is locked, but nobody answers.
Outcome deliver(ControlClient& control, const RunFolder& folder, const Command& command) {
    const auto begin = SteadyClock::now();
    Outcome outcome = control.send(command);
    while (!outcome && isLocked(folder) && secondsSince(begin) < kPatienceSeconds) {
        usleep(50'000);
        outcome = control.send(command);
    }
    return outcome;
}

int sendCommand(const CommandOptions& options) {
    const RunFolder folder = findRun(options.run).orThrow();
    const Command command = toCommand(options);
    EventReader reader(folder);
    while (!reader.readLines().empty()) {
    }
    ControlClient control(folder);
    const Outcome delivered = deliver(control, folder, command);
    if (!delivered)
        throw delivered.error();
    for (const auto begin = SteadyClock::now(); secondsSince(begin) < kPatienceSeconds; usleep(50'000)) {
        const bool runs = isLocked(folder);  // asked first: an answer written before the end is still found
        const auto records = reader.readRecords();
        if (const CommandEvent* answer = answerIn(records, command.id)) {
            printLine(harmless((answer->accepted ? "Done: " : "Refused: ") + answer->detail));
            return answer->accepted ? 0 : static_cast<int>(ErrorCode::badInput);
        }
        if (!runs)
            throw Error(ErrorCode::badInput, "[cli] the run ended before it answered");
    }
    throw Error(ErrorCode::communication, "[cli] the command was delivered, but the run has not answered within " +
                                              formatDuration(kPatienceSeconds));
}

}  // namespace

void addCommand(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<CommandOptions>();
    CLI::App* command = app.add_subcommand("command", "Ask something of a running run");
    command->add_option("run", options->run, "Run folder or id")->required();
    command->add_option("command", options->word, "pause, resume, checkpoint, stop, sample or set")->required();
    command->add_option("change", options->change, "For set: NAME=VALUE, for example training.steps=2000");
    command->add_flag_callback(
        "--no-checkpoint", [options] { options->saveFirst = false; }, "For stop: end without saving");
    command->callback([options, &chosen] { chosen = [options] { return sendCommand(*options); }; });
}

}  // namespace unmask
