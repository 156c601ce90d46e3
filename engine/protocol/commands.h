// SPDX-License-Identifier: Apache-2.0
// What may be asked of a running run, one JSON object a line on the control socket and on the standard input of
// `attach`: {"id":"…","command":"stop","checkpoint":true}. Answered in the journal, harmless when repeated.
#pragma once

#include <string>

#include "engine/base/json.h"

namespace unmask {

enum class CommandKind { pause, resume, checkpoint, stop, sample, set };

struct Command {
    std::string id;  // chosen by the asker, [A-Za-z0-9._-]{1,64}
    CommandKind kind = CommandKind::checkpoint;
    bool saveFirst = true;  // stop: write a checkpoint before ending
    std::string setting;    // set: path of a changeable setting
    Json value;             // set: its new value
    bool operator==(const Command&) const = default;
};

std::string_view commandWord(CommandKind kind);
std::string encodeCommand(const Command& command);  // one line without newline
Result<Command> decodeCommand(std::string_view line);
std::string newCommandId();

}  // namespace unmask
