// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/spec_json.h"

#include "engine/base/durable_file.h"
#include "engine/base/text.h"
#include "engine/protocol/field_json.h"
#include "engine/protocol/settings.h"
#include "engine/protocol/version.h"

namespace unmask {

Json specToJson(const RunSpec& spec) {
    return structToJson(spec);
}

namespace {
std::vector<std::string> sectionNames() {
    std::vector<std::string> names;
    for (const auto& section : allSections())
        names.push_back(section.name);
    return names;
}

std::string unknownSection(const std::string& name) {
    std::string message = "there is no section \"" + name + "\"";
    if (const auto near = nearestName(name, sectionNames()))
        message += "; did you mean " + *near + "?";
    return message;
}

int64_t formatVersionOf(const Json& json) {
    const auto found = json.is_object() ? json.find("format_version") : json.end();
    return json.is_object() && found != json.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

// A run that nobody named bears its id; another run made from its run.json is not called by it.
void forgetGivenName(const Json& json, std::string& name) {
    if (const auto id = json.find("id"); id != json.end() && id->is_string() && id->get<std::string>() == name)
        name.clear();
}
}  // namespace

Result<RunSpec> specFromJson(const Json& json, const RunSpec& base) {
    if (!json.is_object())
        return Error(ErrorCode::badInput, "[run file] a run file is a JSON object with sections such as \"model\"");
    if (json.contains("spec"))
        return specFromJson(json.at("spec"), base);
    RunSpec spec = base;
    std::string complaints;
    const auto complain = [&](std::string text) {
        if (constexpr std::string_view tag = "[settings] "; text.starts_with(tag))
            text.erase(0, tag.size());
        complaints += (complaints.empty() ? "" : "; ") + text;
    };
    const auto names = sectionNames();
    for (const auto& [section, values] : json.items()) {
        if (std::find(names.begin(), names.end(), section) == names.end()) {
            complain(unknownSection(section));
        } else if (!values.is_object()) {
            complain("section " + section + " must be an object");
        } else {
            for (const auto& [name, value] : values.items()) {
                const auto outcome = setSetting(spec, section + "." + name, value);
                if (!outcome)
                    complain(outcome.error().what());
            }
        }
    }
    if (!complaints.empty())
        return Error(ErrorCode::badInput, "[run file] " + complaints);
    return spec;
}

Result<RunSpec> readRunFile(const std::filesystem::path& file, const RunSpec& base) {
    try {
        const auto json = parseJson(readWholeFile(file, size_t{4} << 20));
        if (!json)
            return Error(ErrorCode::badInput,
                         "[run file] " + file.string() + " is not a run file: " + plainMessage(json.error()));
        if (const int64_t version = formatVersionOf(json.value()); version > kRunFormatVersion)
            return Error(ErrorCode::badInput, "[run file] " + file.string() + " was made by a newer version (format " +
                                                  std::to_string(version) + "; this program knows up to " +
                                                  std::to_string(kRunFormatVersion) + ")");
        auto spec = specFromJson(json.value(), base);
        if (!spec)
            return Error(ErrorCode::badInput, "[run file] " + file.string() + ": " + plainMessage(spec.error()));
        forgetGivenName(json.value(), spec.value().launch.name);
        return spec;
    } catch (const Error& error) {
        return error;
    }
}

}  // namespace unmask
