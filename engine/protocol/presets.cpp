// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/presets.h"

#include "engine/base/text.h"
#include "engine/protocol/spec_json.h"
#include "preset_files.h"  // generated from resources/presets/*.json

namespace unmask {
namespace {
Preset readPreset(std::string_view bytes) {
    const Json json = parseJson(bytes).orThrow();
    Preset preset;
    preset.name = json.at("name").get<std::string>();
    preset.titleEn = json.at("title").at("en").get<std::string>();
    preset.titleZh = json.at("title").at("zh").get<std::string>();
    preset.summaryEn = json.at("summary").at("en").get<std::string>();
    preset.summaryZh = json.at("summary").at("zh").get<std::string>();
    preset.spec = specFromJson(json.at("spec")).orThrow();
    preset.spec.model.preset = preset.name;
    return preset;
}
}  // namespace

const std::vector<Preset>& allPresets() {
    static const std::vector<Preset> list = [] {
        std::vector<Preset> presets;
        for (const std::string_view bytes : kPresetFiles)
            presets.push_back(readPreset(bytes));
        return presets;
    }();
    return list;
}

Result<RunSpec> presetSpec(std::string_view name) {
    std::vector<std::string> names;
    for (const auto& preset : allPresets()) {
        if (preset.name == name)
            return preset.spec;
        names.push_back(preset.name);
    }
    std::string message = "[preset] there is no preset \"" + std::string(name) + "\"; there are";
    for (const auto& known : names)
        message += " " + known;
    if (const auto near = nearestName(name, names))
        message += ". Did you mean " + *near + "?";
    return Error(ErrorCode::badInput, message);
}

}  // namespace unmask
