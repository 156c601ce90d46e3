// SPDX-License-Identifier: Apache-2.0
// The run spec seen as a flat list of settings, type-erased: for flags, forms, documentation and differences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"
#include "engine/protocol/run_spec.h"

namespace unmask {

enum class SettingType { boolean, integer, number, text, textList, choice, interval };

struct SettingChoice {
    std::string_view word;
    Text label;
};

struct Setting {
    std::string path;     // "training.steps"
    std::string section;  // "training"
    std::string name;     // "steps"
    SettingType type;
    FieldInfo info;
    std::vector<SettingChoice> choices;  // of a choice
    Json defaultValue;
    bool uniqueName = false;  // the last name alone identifies it
};

struct SettingSection {
    std::string name;
    Text label;
};

const std::vector<Setting>& allSettings();  // in the order of the structs
const std::vector<SettingSection>& allSections();

// By path, or by its last name where that is unique (tensor_parallel_size is also read as model_parallel_size).
// The error suggests the nearest name.
Result<const Setting*> findSetting(std::string_view pathOrName);

Json getSetting(const RunSpec& spec, std::string_view path);
// Type and range are checked; the message names setting, value and limit.
Outcome setSetting(RunSpec& spec, std::string_view pathOrName, const Json& value);
// Text as typed after --set NAME=: numbers, true/false, words, and lists separated by commas.
Outcome setSettingFromText(RunSpec& spec, std::string_view pathOrName, std::string_view text);

struct SettingDifference {
    std::string path;
    Json left;
    Json right;
};
std::vector<SettingDifference> differences(const RunSpec& left, const RunSpec& right);

}  // namespace unmask
