// SPDX-License-Identifier: Apache-2.0
#include "engine/train/live_settings.h"

#include "engine/journal/event_reader.h"
#include "engine/protocol/settings.h"
#include "engine/protocol/spec_json.h"

namespace unmask {

namespace {

constexpr std::string_view kBetween = ": ";
constexpr std::string_view kArrow = " → ";

std::string changeLine(const std::string& path, const Json& before, const Json& after) {
    return path + std::string(kBetween) + dumpLine(before) + std::string(kArrow) + dumpLine(after);
}

Result<const Setting*> changeable(std::string_view pathOrName) {
    auto found = findSetting(pathOrName);
    if (found.ok() && !found.value()->info.changeable)
        return Error{ErrorCode::badInput, "[settings] " + found.value()->path +
                                              " is fixed for the life of a run; start a new run from this one instead"};
    return found;
}

Result<std::string> finish(RunSpec& spec, const RunSpec& changed, const Setting& setting) {
    for (const Problem& problem : checkSpec(changed))
        if (problem.severity == Severity::error)
            return Error{ErrorCode::badInput, "[settings] " + problem.en};
    const Json before = getSetting(spec, setting.path);
    const Json after = getSetting(changed, setting.path);
    spec = changed;
    return before == after ? std::string() : changeLine(setting.path, before, after);
}

// A text may hold the arrow itself: the right one has a value on either side.
void replayLine(RunSpec& spec, std::string_view line) {
    const size_t name = line.find(kBetween);
    if (name == std::string_view::npos)
        return;
    const std::string_view values = line.substr(name + kBetween.size());
    for (size_t arrow = values.find(kArrow); arrow != std::string_view::npos; arrow = values.find(kArrow, arrow + 1)) {
        const auto before = parseJson(values.substr(0, arrow));
        const auto after = parseJson(values.substr(arrow + kArrow.size()));
        if (before.ok() && after.ok()) {
            (void)setSetting(spec, line.substr(0, name), after.value());
            return;
        }
    }
}

}  // namespace

Result<std::string> applySettingText(RunSpec& spec, std::string_view pathOrName, std::string_view text) {
    const auto found = changeable(pathOrName);
    if (!found.ok())
        return found.error();
    RunSpec changed = spec;
    if (const Outcome outcome = setSettingFromText(changed, pathOrName, text); !outcome.ok())
        return outcome.error();
    return finish(spec, changed, *found.value());
}

Result<std::string> applyLiveSetting(RunSpec& spec, std::string_view pathOrName, const Json& value) {
    const auto found = changeable(pathOrName);
    if (!found.ok())
        return found.error();
    if (found.value()->section == "parallel")
        return Error{ErrorCode::badInput,
                     "[settings] " + found.value()->path +
                         " takes effect when the run is resumed; stop it and resume with this value"};
    RunSpec changed = spec;
    if (const Outcome outcome = setSetting(changed, pathOrName, value); !outcome.ok())
        return outcome.error();
    return finish(spec, changed, *found.value());
}

void replayChanges(RunSpec& spec, const RunFolder& folder) {
    EventReader reader(folder);
    for (auto lines = reader.readLines(); !lines.empty(); lines = reader.readLines())
        for (const auto& line : lines) {
            if (line.bytes.find("\"kind\":\"command\"") == std::string::npos &&
                line.bytes.find("\"kind\":\"resumed\"") == std::string::npos)
                continue;
            const auto record = decodeRecord(line.bytes);
            if (!record.ok())
                continue;
            if (const auto* command = std::get_if<CommandEvent>(&record.value().event)) {
                if (command->accepted && command->command == "set")
                    replayLine(spec, command->detail);
            } else if (const auto* resumed = std::get_if<ResumedEvent>(&record.value().event)) {
                for (const std::string& change : resumed->changed)
                    replayLine(spec, change);
            }
        }
}

}  // namespace unmask
