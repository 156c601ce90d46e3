// SPDX-License-Identifier: Apache-2.0
// The documentation of every setting, from the field lists.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/text.h"
#include "engine/cli/output.h"
#include "engine/cli/subcommands.h"
#include "engine/protocol/settings.h"

namespace unmask {
namespace {

std::string plainValue(const Json& value) {
    return value.is_string() ? value.get<std::string>() : dumpLine(value);
}

std::string allowed(const Setting& setting) {
    std::string words;
    switch (setting.type) {
        case SettingType::boolean:
            return "true, false";
        case SettingType::choice:
            for (const SettingChoice& choice : setting.choices)
                words += (words.empty() ? "" : ", ") + std::string(choice.word);
            return words;
        case SettingType::interval:
            return "steps, 10min, 1epoch, never";
        case SettingType::text:
            return "text";
        case SettingType::textList:
            return "texts, with commas between";
        case SettingType::integer:
        case SettingType::number:
            break;
    }
    const double lowest = setting.info.min;
    const double highest = setting.info.max;
    words = std::isfinite(lowest) ? formatNumber(lowest) : "";
    words += " … ";
    words += std::isfinite(highest) ? formatNumber(highest) : "";
    return setting.info.unit.empty() ? words : words + " " + std::string(setting.info.unit);
}

std::string cell(std::string text) {
    for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

void printMarkdown() {
    printLine(
        "# Settings of a run\n\nEach is set by `--set path=value`; a unique last name is enough, and it is a flag of "
        "its own (`--steps 500`). Marked ↻: may change while the run is running and on resume.");
    for (const SettingSection& section : allSections()) {
        printLine("\n## " + section.name + "\n\n" + std::string(section.label.en) +
                  "\n\n| setting | default | allowed | what it is |\n|---|---|---|---|");
        for (const Setting& setting : allSettings()) {
            if (setting.section != section.name)
                continue;
            printLine("| `" + setting.path + "`" + (setting.info.changeable ? " ↻" : "") + " | " +
                      cell(plainValue(setting.defaultValue)) + " | " + cell(allowed(setting)) + " | " +
                      cell(std::string(setting.info.help.en)) + " |");
        }
    }
}

void printPlain() {
    for (const Setting& setting : allSettings()) {
        printLine(setting.path + " = " + plainValue(setting.defaultValue) +
                  (setting.info.changeable ? "  (may change while running)" : ""));
        printLine("    " + std::string(setting.info.help.en) + " [" + allowed(setting) + "]");
    }
}

Json toJson(const Setting& setting) {
    Json json;
    json["path"] = setting.path;
    json["default"] = setting.defaultValue;
    json["allowed"] = allowed(setting);
    json["changeable"] = setting.info.changeable;
    json["help"] = setting.info.help.en;
    json["help_zh"] = setting.info.help.zh;
    return json;
}

}  // namespace

void addSettings(CLI::App& app, Action& chosen) {
    struct SettingsOptions {
        bool markdown = false;
        bool json = false;
    };
    auto options = std::make_shared<SettingsOptions>();
    CLI::App* command = app.add_subcommand("settings", "Every setting of a run, its default and what it is for");
    command->add_flag("--markdown", options->markdown, "As a document with tables");
    command->add_flag("--json", options->json, "As a JSON list");
    command->callback([options, &chosen] {
        chosen = [options] {
            if (options->json) {
                Json list = Json::array();
                for (const Setting& setting : allSettings())
                    list.push_back(toJson(setting));
                printLine(dumpLine(list));
            } else if (options->markdown) {
                printMarkdown();
            } else {
                printPlain();
            }
            return 0;
        };
    });
}

}  // namespace unmask
