// SPDX-License-Identifier: Apache-2.0
// Type erasure of the spec's field lists. Each setting keeps two closures, made where the field's type is known.
#include "engine/protocol/settings.h"

#include <cmath>
#include <functional>
#include <map>

#include "engine/base/text.h"
#include "engine/protocol/field_json.h"

namespace unmask {
namespace {

struct Access {
    std::function<Json(const RunSpec&)> get;
    std::function<std::string(RunSpec&, const Json&)> set;  // empty, or what was expected
};

struct Table {
    std::vector<Setting> settings;
    std::vector<SettingSection> sections;
    std::vector<Access> access;  // parallel to settings
    std::map<std::string, size_t, std::less<>> byPath;
    std::map<std::string, size_t, std::less<>> byName;  // unique last names
    std::vector<std::string> names;                     // for suggestions
};

template <class T>
SettingType typeOf() {
    if constexpr (std::is_same_v<T, bool>)
        return SettingType::boolean;
    else if constexpr (std::is_same_v<T, int64_t>)
        return SettingType::integer;
    else if constexpr (std::is_same_v<T, double>)
        return SettingType::number;
    else if constexpr (std::is_same_v<T, std::string>)
        return SettingType::text;
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
        return SettingType::textList;
    else if constexpr (std::is_same_v<T, Interval>)
        return SettingType::interval;
    else
        return SettingType::choice;
}

// "between 1 and 1024" for the range of a field.
std::string rangeWords(const FieldInfo& info) {
    const bool low = info.min > -std::numeric_limits<double>::infinity();
    const bool high = info.max < std::numeric_limits<double>::infinity();
    if (low && high)
        return "between " + formatNumber(info.min) + " and " + formatNumber(info.max);
    if (!low && !high)
        return "a finite number";
    return low ? "at least " + formatNumber(info.min) : "at most " + formatNumber(info.max);
}

template <class Section, class T>
void addSetting(Table& table, const Field<RunSpec, Section>& section, const Field<Section, T>& f) {
    Setting setting;
    setting.section = section.name;
    setting.name = f.name;
    setting.path = setting.section + "." + setting.name;
    setting.type = typeOf<T>();
    setting.info = f.info;
    if constexpr (std::is_enum_v<T>)
        for (const auto& choice : Choices<T>::list)
            setting.choices.push_back({choice.word, choice.label});
    setting.defaultValue = valueToJson(Section{}.*(f.member));
    const auto sectionMember = section.member;
    const auto member = f.member;
    const FieldInfo info = f.info;
    table.access.push_back({[=](const RunSpec& spec) { return valueToJson((spec.*sectionMember).*member); },
                            [=](RunSpec& spec, const Json& json) -> std::string {
                                T value{};
                                if (std::string expected = readValue(json, value); !expected.empty())
                                    return expected;
                                if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int64_t>) {
                                    const auto number = static_cast<double>(value);
                                    if (!std::isfinite(number) || number < info.min || number > info.max)
                                        return rangeWords(info);
                                }
                                (spec.*sectionMember).*member = std::move(value);
                                return {};
                            }});
    table.settings.push_back(std::move(setting));
}

Table makeTable() {
    Table table;
    forEachField<RunSpec>([&]<class Section>(const Field<RunSpec, Section>& section) {
        table.sections.push_back({std::string(section.name), section.info.label});
        forEachField<Section>([&](const auto& f) { addSetting(table, section, f); });
    });
    std::map<std::string, int> count;
    for (const auto& setting : table.settings)
        ++count[setting.name];
    for (size_t i = 0; i < table.settings.size(); ++i) {
        auto& setting = table.settings[i];
        setting.uniqueName = count[setting.name] == 1;
        table.byPath[setting.path] = i;
        table.names.push_back(setting.path);
        if (setting.uniqueName) {
            table.byName[setting.name] = i;
            table.names.push_back(setting.name);
        }
    }
    table.byName["model_parallel_size"] = table.byName.at("tensor_parallel_size");
    return table;
}

const Table& table() {
    static const Table instance = makeTable();
    return instance;
}

Result<size_t> findIndex(std::string_view pathOrName) {
    const Table& t = table();
    if (const auto found = t.byPath.find(pathOrName); found != t.byPath.end())
        return found->second;
    if (const auto found = t.byName.find(pathOrName); found != t.byName.end())
        return found->second;
    std::string message = "[settings] there is no setting \"" + std::string(pathOrName) + "\"";
    if (const auto near = nearestName(pathOrName, t.names))
        message += "; did you mean " + *near + "?";
    return Error(ErrorCode::badInput, message);
}

Outcome setAt(RunSpec& spec, size_t index, const Json& value, std::string_view shown) {
    const std::string expected = table().access[index].set(spec, value);
    if (expected.empty())
        return Nothing{};
    return Error(ErrorCode::badInput, "[settings] " + table().settings[index].path + " is " +
                                          (shown.empty() ? "empty" : std::string(shown)) + ", it must be " + expected);
}

}  // namespace

const std::vector<Setting>& allSettings() {
    return table().settings;
}
const std::vector<SettingSection>& allSections() {
    return table().sections;
}

Result<const Setting*> findSetting(std::string_view pathOrName) {
    const auto index = findIndex(pathOrName);
    if (!index)
        return index.error();
    return &table().settings[index.value()];
}

Json getSetting(const RunSpec& spec, std::string_view path) {
    return table().access[findIndex(path).orThrow()].get(spec);
}

Outcome setSetting(RunSpec& spec, std::string_view pathOrName, const Json& value) {
    const auto index = findIndex(pathOrName);
    if (!index)
        return index.error();
    return setAt(spec, index.value(), value, dumpLine(value));
}

namespace {
Json textList(std::string_view text) {
    Json list = Json::array();
    while (!text.empty()) {
        const size_t comma = text.find(',');
        list.push_back(std::string(text.substr(0, comma)));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return list;
}

// What a person typed, as the JSON that the setting's type expects; texts that fit nothing stay texts, and the check
// of the type then says what was expected.
Json typedValue(SettingType type, std::string_view text) {
    switch (type) {
        case SettingType::boolean:
            if (text == "true" || text == "on" || text == "yes" || text == "1")
                return true;
            if (text == "false" || text == "off" || text == "no" || text == "0")
                return false;
            break;
        case SettingType::integer:
            if (const auto number = parseInteger(text))
                return *number;
            break;
        case SettingType::number:
            if (const auto number = parseNumber(text))
                return *number;
            break;
        case SettingType::textList:
            return textList(text);
        default:
            break;
    }
    return std::string(text);
}
}  // namespace

Outcome setSettingFromText(RunSpec& spec, std::string_view pathOrName, std::string_view text) {
    const auto index = findIndex(pathOrName);
    if (!index)
        return index.error();
    return setAt(spec, index.value(), typedValue(table().settings[index.value()].type, text), text);
}

std::vector<SettingDifference> differences(const RunSpec& left, const RunSpec& right) {
    std::vector<SettingDifference> list;
    for (size_t i = 0; i < table().settings.size(); ++i) {
        Json a = table().access[i].get(left), b = table().access[i].get(right);
        if (a != b)
            list.push_back({table().settings[i].path, std::move(a), std::move(b)});
    }
    return list;
}

}  // namespace unmask
