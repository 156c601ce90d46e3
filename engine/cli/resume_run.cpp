// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/resume_run.h"

#include <algorithm>

#include "engine/cli/prepare_data.h"
#include "engine/journal/run_lock.h"
#include "engine/launch/leftover_workers.h"
#include "engine/protocol/settings.h"

namespace unmask {
namespace {

constexpr std::string_view kArrow = " → ";

// Settings that only say where or how something is computed are resolved anew on another machine.
bool meansTheSame(const std::string& path, const Json& started, const Json& wanted, const RunSpec& wantedSpec) {
    if (started == wanted)
        return true;
    return getSetting(resolveSpec(wantedSpec), path) == started;
}

std::string wordOf(const Json& value) {
    return value.is_string() ? value.get<std::string>() : dumpLine(value);
}

// The text that setSettingFromText reads back as the same value.
std::string typedText(const Json& value) {
    if (!value.is_array())
        return wordOf(value);
    std::string list;
    for (const Json& each : value)
        list += (list.empty() ? "" : ",") + wordOf(each);
    return list;
}

void applyLine(RunSpec& spec, std::string_view change) {
    const auto parsed = parseChange(change);
    if (!parsed)
        return;
    const auto value = parseJson(parsed->second);
    [[maybe_unused]] const Outcome outcome = value ? setSetting(spec, parsed->first, value.value())
                                                   : setSettingFromText(spec, parsed->first, parsed->second);
}

void refuseBusy(const RunFolder& folder) {
    if (!isLocked(folder))
        return;
    const auto state = readRunState(folder);
    throw Error(ErrorCode::badInput, "[cli] " + folder.path.string() + " is being trained" +
                                         (state ? " by process " + std::to_string(state->process.pid) : std::string()) +
                                         "; 'unmask-engine attach' follows it");
}

void refuseOtherData(const RunDescription& description, const PreparedStore& store) {
    if (description.dataHash.empty() || description.dataHash == store.dataHash)
        return;
    throw Error(
        ErrorCode::badInput,
        "[cli] the data has changed since the run was started (its hash is another); put the old files back, or "
        "begin a new run");
}

}  // namespace

std::optional<std::pair<std::string, std::string>> parseChange(std::string_view text) {
    const size_t colon = text.find(": ");
    const size_t arrow = text.rfind(kArrow);
    if (colon == std::string_view::npos || arrow == std::string_view::npos || arrow < colon)
        return std::nullopt;
    return std::pair{std::string(text.substr(0, colon)), std::string(text.substr(arrow + kArrow.size()))};
}

RunSpec effectiveSpec(const RunFolder& folder, const RunSpec& started) {
    RunSpec spec = started;
    EventReader reader(folder);
    for (auto lines = reader.readLines(); !lines.empty(); lines = reader.readLines()) {
        for (const auto& line : lines) {
            const bool mayTell = line.bytes.find("\"kind\":\"resumed\"") != std::string::npos ||
                                 line.bytes.find("\"kind\":\"command\"") != std::string::npos;
            if (!mayTell)
                continue;
            const auto record = decodeRecord(line.bytes);
            if (!record)
                continue;
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.value().event)) {
                for (const std::string& change : resumed->changed)
                    applyLine(spec, change);
            } else if (const auto* answer = std::get_if<CommandEvent>(&record.value().event);
                       answer && answer->accepted && answer->command == "set") {
                applyLine(spec, answer->detail);
            }
        }
    }
    return spec;
}

RunSpec applyChanges(const RunSpec& started, const RunSpec& current, const RunSpec& wanted) {
    RunSpec result = current;
    std::string refused;
    for (const SettingDifference& difference : differences(started, wanted)) {
        if (meansTheSame(difference.path, difference.left, difference.right, wanted))
            continue;
        if (difference.path == "launch.name" && difference.right == "")
            continue;
        if (findSetting(difference.path).orThrow()->info.changeable) {
            [[maybe_unused]] const Outcome outcome = setSetting(result, difference.path, difference.right);
        } else {
            refused += (refused.empty() ? "" : "; ") + difference.path + " is " + wordOf(difference.left) +
                       " in this run, not " + wordOf(difference.right);
        }
    }
    if (!refused.empty())
        throw Error(ErrorCode::badInput, "[cli] a run that goes on keeps these settings: " + refused);
    return result;
}

std::vector<std::string> settingArguments(const RunSpec& started, const RunSpec& spec) {
    std::vector<std::string> arguments;
    for (const SettingDifference& difference : differences(started, spec))
        arguments.push_back(difference.path + "=" + typedText(difference.right));
    return arguments;
}

PreparedRun prepareResume(const RunArguments& arguments, const Say& say) {
    PreparedRun run;
    const RunFolder folder = findRun(arguments.folder).orThrow();
    run.description = readRunDescription(folder).orThrow();
    awaitLeftoverWorkers(folder, say);
    refuseBusy(folder);
    const RunSpec& started = run.description.spec;
    run.spec = effectiveSpec(folder, started);
    if (!arguments.spec.empty()) {
        const RunSpec wanted = composeSpec(arguments.spec, arguments.spec.namesBase() ? RunSpec{} : started);
        run.spec = applyChanges(started, run.spec, wanted);
    }
    const JournalSummary journal = summariseJournal(folder);
    run.lastSeq = journal.lastSeq;
    run.plan = launchPlan(folder, run.spec, true, settingArguments(started, run.spec));
    if (journal.finished && journal.finished->outcome == "finished" && journal.lastStep >= run.spec.training.steps) {
        run.finished = true;
        run.note = "The run is finished: " + std::to_string(journal.lastStep) + " steps. A larger --steps extends it.";
        return run;
    }
    CheckedSpec checked = checkAndPlan(run.spec);
    refuseProblems(checked.problems, say);
    run.worker = findWorker();
    refuseOtherData(run.description, importData(run.spec, say));
    return run;
}

}  // namespace unmask
