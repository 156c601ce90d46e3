// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/commands.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <utility>

namespace unmask {
namespace {
constexpr std::array<std::pair<CommandKind, std::string_view>, 6> kWords{{{CommandKind::pause, "pause"},
                                                                          {CommandKind::resume, "resume"},
                                                                          {CommandKind::checkpoint, "checkpoint"},
                                                                          {CommandKind::stop, "stop"},
                                                                          {CommandKind::sample, "sample"},
                                                                          {CommandKind::set, "set"}}};

bool isCommandId(std::string_view id) {
    return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_' ||
               c == '-';
    });
}

Error wrong(const std::string& reason) {
    return {ErrorCode::badInput, "[command] " + reason};
}
}  // namespace

std::string_view commandWord(CommandKind kind) {
    for (const auto& [value, word] : kWords)
        if (value == kind)
            return word;
    return "";
}

std::string encodeCommand(const Command& command) {
    Json json = Json::object();
    json["id"] = command.id;
    json["command"] = std::string(commandWord(command.kind));
    if (command.kind == CommandKind::stop)
        json["checkpoint"] = command.saveFirst;
    if (command.kind == CommandKind::set) {
        json["setting"] = command.setting;
        json["value"] = command.value;
    }
    return dumpLine(json);
}

Result<Command> decodeCommand(std::string_view line) {
    if (line.size() > size_t{64} << 10)
        return wrong("longer than 64 KiB");
    const auto parsed = parseJson(line, 16);
    if (!parsed)
        return wrong(parsed.error().what());
    const Json& json = parsed.value();
    if (!json.is_object() || !json.contains("id") || !json.at("id").is_string() || !json.contains("command") ||
        !json.at("command").is_string())
        return wrong("a command is an object with the texts \"id\" and \"command\"");
    Command command;
    command.id = json.at("id").get<std::string>();
    if (!isCommandId(command.id))
        return wrong("an id has 1 to 64 letters, digits, dots, dashes or underscores");
    const auto& word = json.at("command").get_ref<const std::string&>();
    const auto* const found =
        std::find_if(kWords.begin(), kWords.end(), [&](const auto& entry) { return entry.second == word; });
    if (found == kWords.end())
        return wrong("there is no command \"" + word.substr(0, 80) +
                     "\"; there are pause, resume, checkpoint, stop, sample, set");
    command.kind = found->first;
    if (command.kind == CommandKind::stop && json.contains("checkpoint")) {
        if (!json.at("checkpoint").is_boolean())
            return wrong("\"checkpoint\" must be true or false");
        command.saveFirst = json.at("checkpoint").get<bool>();
    }
    if (command.kind == CommandKind::set) {
        if (!json.contains("setting") || !json.at("setting").is_string() || !json.contains("value"))
            return wrong("set needs \"setting\" and \"value\"");
        command.setting = json.at("setting").get<std::string>();
        command.value = json.at("value");
    }
    return command;
}

std::string newCommandId() {
    std::array<unsigned char, 8> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw Error(ErrorCode::internal, "[command] the system gave no random bytes");
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string id;
    for (const unsigned char byte : bytes) {
        id += kDigits[byte >> 4];
        id += kDigits[byte & 0xF];
    }
    return id;
}

}  // namespace unmask
