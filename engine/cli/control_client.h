// SPDX-License-Identifier: Apache-2.0
// Hands commands to a running run through its control.sock. The answer comes in the journal; here only delivery is
// told.
#pragma once

#include "engine/base/durable_file.h"
#include "engine/journal/run_folder.h"
#include "engine/protocol/commands.h"

namespace unmask {

class ControlClient {
 public:
    explicit ControlClient(RunFolder folder) : m_folder(std::move(folder)) {}

    // The error says why it could not be delivered. Connects when needed, anew when the run was resumed meanwhile.
    Outcome send(const Command& command);

 private:
    Outcome connectNow();
    Outcome sendLine(const std::string& line);
    bool closedByRun() const;

    RunFolder m_folder;
    FileDescriptor m_socket;
};

}  // namespace unmask
