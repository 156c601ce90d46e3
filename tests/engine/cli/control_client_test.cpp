// SPDX-License-Identifier: Apache-2.0
// Commands over a real socket, also where the run folder lies deeper than a socket address can say.
#include "engine/cli/control_client.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::HasSubstr;

class Listener {
 public:
    explicit Listener(const RunFolder& folder)
        : m_folder(open(folder.path.c_str(), O_PATH | O_DIRECTORY)), m_socket(socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = "/proc/self/fd/" + std::to_string(m_folder.get()) + "/control.sock";
        std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
        EXPECT_EQ(bind(m_socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(listen(m_socket.get(), 4), 0);
        test::writeBytes(folder.controlToken(), "secret\n");
    }
    std::string readAll(size_t lines) {
        if (!m_peer.valid())
            m_peer = FileDescriptor(accept(m_socket.get(), nullptr, nullptr));
        std::string text;
        std::array<char, 4096> bytes;
        while (static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) < lines)
            text.append(bytes.data(), static_cast<size_t>(read(m_peer.get(), bytes.data(), bytes.size())));
        return text;
    }
    void hangUp() { m_peer = FileDescriptor(); }

 private:
    FileDescriptor m_folder;
    FileDescriptor m_socket;
    FileDescriptor m_peer;
};

TEST(ControlClient, TokenFirstThenCommandsOnOneConnection) {
    test::TempFolder root;
    const RunFolder folder{root.path() / std::string(100, 'd') / "Lauf ä 跑"};
    std::filesystem::create_directories(folder.path);
    Listener run(folder);
    ControlClient client(folder);
    ASSERT_TRUE(client.send({.id = "one", .kind = CommandKind::pause}));
    ASSERT_TRUE(client.send({.id = "two", .kind = CommandKind::stop, .saveFirst = false}));
    EXPECT_EQ(run.readAll(3),
              "secret\n{\"id\":\"one\",\"command\":\"pause\"}\n"
              "{\"id\":\"two\",\"command\":\"stop\",\"checkpoint\":false}\n");
}

TEST(ControlClient, ConnectsAnewAfterAResume) {
    test::TempRun run;
    Listener socket(run.folder());
    ControlClient client(run.folder());
    ASSERT_TRUE(client.send({.id = "one", .kind = CommandKind::pause}));
    socket.readAll(2);
    socket.hangUp();
    test::writeBytes(run.folder().controlToken(), "other\n");
    ASSERT_TRUE(client.send({.id = "two", .kind = CommandKind::resume}));
    EXPECT_EQ(socket.readAll(2), "other\n{\"id\":\"two\",\"command\":\"resume\"}\n");
}

TEST(ControlClient, RunThatDoesNotRunIsToldSo) {
    test::TempRun run;
    ControlClient client(run.folder());
    Outcome outcome = client.send({.id = "one", .kind = CommandKind::pause});
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().what(), HasSubstr("not running"));
    { Listener gone(run.folder()); }
    outcome = client.send({.id = "one", .kind = CommandKind::pause});
    ASSERT_FALSE(outcome) << "the socket file of a killed run is left behind";
    EXPECT_THAT(outcome.error().what(), HasSubstr("not running"));
}

}  // namespace
}  // namespace unmask
