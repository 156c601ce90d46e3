// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/spec_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/text.h"
#include "engine/protocol/presets.h"
#include "engine/protocol/settings.h"
#include "engine/protocol/spec_json.h"

namespace unmask {
namespace {

// Flags of the commands themselves; a setting of the same name is reached by --set.
constexpr std::array<std::string_view, 8> kTakenNames{"preset", "spec", "data", "run", "set", "resume", "json", "help"};

std::string withDashes(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string flagNames(const std::string& name) {
    const std::string dashed = withDashes(name);
    return dashed == name ? "--" + name : "--" + dashed + ",--" + name;
}

std::string typeWord(const Setting& setting) {
    switch (setting.type) {
        case SettingType::boolean:
            return "true|false";
        case SettingType::integer:
            return "INTEGER";
        case SettingType::number:
            return "NUMBER";
        case SettingType::text:
            return "TEXT";
        case SettingType::textList:
            return "TEXT,TEXT…";
        case SettingType::interval:
            return "INTERVAL";
        case SettingType::choice:
            break;
    }
    std::string words;
    for (const SettingChoice& choice : setting.choices)
        words += (words.empty() ? "" : "|") + std::string(choice.word);
    return words;
}

std::string defaultWord(const Setting& setting) {
    if (setting.defaultValue.is_string())
        return setting.defaultValue.get<std::string>();
    return setting.defaultValue.is_array() ? "" : dumpLine(setting.defaultValue);
}

void addSettingFlag(CLI::App& command, SpecArguments& arguments, const Setting& setting, const std::string& name) {
    const std::string path = setting.path;
    const bool isFlag = setting.type == SettingType::boolean;  // alone it means true
    const auto take = [&arguments, path, isFlag](const CLI::results_t& texts) {
        const std::string text = texts.empty() ? "" : texts.back();
        arguments.settings.emplace_back(path, isFlag && text.empty() ? "true" : text);
        return true;
    };
    CLI::Option* option = command.add_option(flagNames(name), take, std::string(setting.info.help.en));
    option->trigger_on_parse()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    option->group("Settings: " + setting.section)->type_name(typeWord(setting));
    if (isFlag)
        option->expected(0, 1);
    if (const std::string word = defaultWord(setting); !word.empty() && !isFlag)
        option->default_str(word);  // a flag without a value would get it as its value
}

void addSet(SpecArguments& arguments, const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error(ErrorCode::badInput, "[cli] --set takes NAME=VALUE, not \"" + text + "\"");
    arguments.settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
}

std::string absoluteFile(const std::string& file) {
    if (file.empty())
        throw Error(ErrorCode::badInput, "[cli] the name of a data file is empty");
    if (firstInvalidUtf8(file))
        throw Error(ErrorCode::badInput,
                    "[cli] the name of the data file " + toValidUtf8(file) + " is not valid UTF-8; rename the file");
    return std::filesystem::absolute(file).lexically_normal().string();
}

}  // namespace

void addSpecOptions(CLI::App& command, SpecArguments& arguments) {
    command
        .add_option(
            "--preset", arguments.preset,
            "Architecture to begin with: first-steps (when nothing else is named), light, base, enhanced; its values "
            "take the place of the defaults below")
        ->type_name("NAME");
    command.add_option("--spec", arguments.specFile, "Run file, or the run.json of another run")->type_name("FILE");
    command.add_option("--data", arguments.data, "Text, JSON lines or JSON array to train on")->type_name("FILE");
    command
        .add_option_function<std::vector<std::string>>(
            "--set", [&arguments](const std::vector<std::string>& texts) { addSet(arguments, texts.back()); },
            "Any setting by its path or unique name; 'unmask-engine settings' lists them")
        ->trigger_on_parse()
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->type_name("NAME=VALUE");
    for (const Setting& setting : allSettings()) {
        const bool taken = std::find(kTakenNames.begin(), kTakenNames.end(), setting.name) != kTakenNames.end();
        if (setting.uniqueName && !taken)
            addSettingFlag(command, arguments, setting, setting.name);
    }
    addSettingFlag(command, arguments, *findSetting("model_parallel_size").orThrow(), "model_parallel_size");
    command.allow_extras();
}

void refuseUnknown(const CLI::App& command) {
    const std::vector<std::string> extras = command.remaining();
    if (extras.empty())
        return;
    const std::string word = extras.front().substr(0, extras.front().find('='));
    std::string message = "[cli] " + command.get_name() + " does not know \"" + toValidUtf8(word) + "\"";
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    if (const auto near = nearestName(word, names))
        message += "; did you mean " + *near + "?";
    else
        message += "; 'unmask-engine " + command.get_name() + " --help' lists what it takes";
    throw Error(ErrorCode::badInput, message);
}

RunSpec composeSpec(const SpecArguments& arguments, const RunSpec& base) {
    RunSpec spec = arguments.preset.empty() ? base : presetSpec(arguments.preset).orThrow();
    if (!arguments.specFile.empty())
        spec = readRunFile(arguments.specFile, spec).orThrow();
    if (!arguments.data.empty())
        spec.data.files = arguments.data;
    for (const auto& [name, text] : arguments.settings) {
        const Outcome outcome = setSettingFromText(spec, name, text);
        if (!outcome)
            throw outcome.error();
    }
    for (std::vector<std::string>* files : {&spec.data.files, &spec.data.validationFiles})
        for (std::string& file : *files)
            file = absoluteFile(file);  // the run may be resumed from another folder
    return spec;
}

RunSpec composeNewSpec(const SpecArguments& arguments) {
    const bool nothingNamed = !arguments.namesBase() && arguments.data.empty();
    return composeSpec(arguments, nothingNamed ? presetSpec("first-steps").orThrow() : RunSpec{});
}

}  // namespace unmask
