// SPDX-License-Identifier: Apache-2.0
// The bridge's own lines, which have no seq: hello first, state each second, answer to a command that could not be
// delivered.
#pragma once

#include <string>

#include "engine/base/json.h"
#include "engine/journal/run_state.h"
#include "engine/protocol/commands.h"

namespace unmask {

// What is known of a run before its first event; `problem` is why run.json could not be understood.
struct RunCard {
    std::string id;
    std::string name;
    std::string created;
    int formatVersion = 0;
    std::string problem;
};
RunCard readRunCard(const RunFolder& folder);

Json statusToJson(const RunStatus& status);
std::string helloLine(const RunFolder& folder, const RunCard& card, const RunStatus& status);
std::string stateLine(const RunStatus& status);
std::string answerLine(const std::string& id, std::string_view command, const std::string& detail);

}  // namespace unmask
