// SPDX-License-Identifier: Apache-2.0
// Serves control.sock: owner only (0600, SO_PEERCRED), the token of control.token as first line of a connection, then
// one command a line. Knows nothing of training: each understood command goes to the callback, on this class's thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "engine/base/durable_file.h"
#include "engine/journal/run_folder.h"
#include "engine/protocol/commands.h"

namespace unmask {

class ControlSocket {
 public:
    using OnCommand = std::function<void(Command)>;
    using OnRefused = std::function<void(const std::string& reason)>;

    ControlSocket(RunFolder folder, OnCommand onCommand, OnRefused onRefused);
    ~ControlSocket();  // socket and token are removed
    ControlSocket(const ControlSocket&) = delete;
    ControlSocket& operator=(const ControlSocket&) = delete;

 private:
    struct Connection {
        FileDescriptor descriptor;
        std::string buffer;
        bool trusted = false;
    };
    void listenInFolder();
    void serve();
    void accept();
    bool read(Connection& connection);  // false: close it
    bool takeLine(Connection& connection, std::string_view line);

    RunFolder m_folder;
    OnCommand m_onCommand;
    OnRefused m_onRefused;
    std::string m_token;
    FileDescriptor m_listener;
    FileDescriptor m_wake;  // eventfd that ends the thread
    std::map<int, Connection> m_connections;
    std::thread m_thread;
};

}  // namespace unmask
