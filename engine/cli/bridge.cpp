// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/bridge.h"

#include "engine/cli/output.h"
#include "engine/protocol/version.h"

namespace unmask {

RunCard readRunCard(const RunFolder& folder) {
    RunCard card;
    auto description = readRunDescription(folder);
    if (description) {
        card.id = description.value().id;
        card.name = description.value().name;
        card.created = description.value().created;
        card.formatVersion = description.value().formatVersion;
    } else {
        card.problem = plainMessage(description.error());
    }
    return card;
}

Json statusToJson(const RunStatus& status) {
    Json json;
    json["word"] = runWordName(status.word);
    json["evidence"] = status.evidence;
    json["phase"] = status.phase;
    json["step"] = status.step;
    json["total_steps"] = status.totalSteps;
    json["attempt"] = status.attempt;
    json["seq"] = status.seq;
    json["durable_seq"] = status.durableSeq;
    return json;
}

std::string helloLine(const RunFolder& folder, const RunCard& card, const RunStatus& status) {
    Json json;
    json["bridge"] = "hello";
    json["protocol"] = kProtocolVersion;
    json["format"] = kRunFormatVersion;
    json["code_version"] = codeVersion();
    json["id"] = card.id;
    json["name"] = card.name;
    json["folder"] = folder.path.string();
    json["run_format"] = card.formatVersion;
    if (!card.problem.empty())
        json["problem"] = card.problem;
    json.update(statusToJson(status));
    return dumpLine(json);
}

std::string stateLine(const RunStatus& status) {
    Json json;
    json["bridge"] = "state";
    json.update(statusToJson(status));
    return dumpLine(json);
}

std::string answerLine(const std::string& id, std::string_view command, const std::string& detail) {
    Json json;
    json["bridge"] = "answer";
    json["id"] = id;
    json["command"] = command;
    json["accepted"] = false;
    json["detail"] = detail;
    return dumpLine(json);
}

}  // namespace unmask
