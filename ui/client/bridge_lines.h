// SPDX-License-Identifier: Apache-2.0
// What the bridge (`unmask-engine attach`) says besides records, as plain values.
#pragma once

#include <QString>
#include <cstdint>
#include <variant>

#include "engine/base/json.h"
#include "engine/journal/run_state.h"

namespace unmask::ui {

// First line of a connection.
struct BridgeHello {
    int protocol = 0;
    QString codeVersion;
    QString runId;
    RunStatus status;
};

// An undeliverable command, said by the bridge itself; delivered ones are answered in the journal.
struct BridgeAnswer {
    QString id;
    bool accepted = false;
    QString detail;
};

using BridgeLine = std::variant<BridgeHello, RunStatus, BridgeAnswer>;

// A line with a "bridge" key. Kinds this studio does not know are errors that the caller may pass over.
Result<BridgeLine> decodeBridgeLine(std::string_view line);

}  // namespace unmask::ui
