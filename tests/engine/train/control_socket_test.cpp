// SPDX-License-Identifier: Apache-2.0
#include "engine/train/control_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <condition_variable>
#include <cstring>
#include <mutex>

#include "tests/engine/train/run_journal.h"

namespace unmask {
namespace {

class Received {
 public:
    void add(std::string what) {
        const std::lock_guard lock(m_mutex);
        m_all.push_back(std::move(what));
        m_changed.notify_all();
    }
    std::vector<std::string> waitFor(size_t count, int milliseconds = 2000) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return m_all.size() >= count; });
        return m_all;
    }

 private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::string> m_all;
};

FileDescriptor connectTo(const RunFolder& folder) {
    const FileDescriptor place(open(folder.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    FileDescriptor peer(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = "/proc/self/fd/" + std::to_string(place.get()) + "/control.sock";
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    EXPECT_EQ(connect(peer.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return peer;
}

void sendText(const FileDescriptor& peer, const std::string& text) {
    ASSERT_EQ(send(peer.get(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
}

bool closedByPeer(const FileDescriptor& peer) {
    timeval patience{2, 0};
    setsockopt(peer.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char byte = 0;
    return recv(peer.get(), &byte, 1, 0) <= 0 && errno != EAGAIN;
}

class ControlSocketTest : public testing::Test {
 protected:
    std::string token() const { return readWholeFile(m_run.folder().controlToken()); }
    test::TempRun m_run;
    Received m_commands, m_refused;
    ControlSocket m_socket{m_run.folder(), [this](const Command& command) { m_commands.add(command.id); },
                           [this](const std::string& reason) { m_refused.add(reason); }};
};

TEST_F(ControlSocketTest, BelongsToTheOwnerAlone) {
    struct stat info {};
    ASSERT_EQ(stat(m_run.folder().controlSocket().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    EXPECT_TRUE(S_ISSOCK(info.st_mode));
    ASSERT_EQ(stat(m_run.folder().controlToken().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    EXPECT_GE(token().size(), 64u);
}

TEST_F(ControlSocketTest, TakesCommandsAfterTheTokenAndSurvivesNonsense) {
    const auto peer = connectTo(m_run.folder());
    const std::string stop = encodeCommand({.id = "one", .kind = CommandKind::stop});
    sendText(peer, token() + stop.substr(0, 10));
    sendText(peer, stop.substr(10) + "\n{\"id\":\"two\",\"command\":\"dance\"}\nnot json\n" +
                       encodeCommand({.id = "three", .kind = CommandKind::pause}) + "\n");
    EXPECT_EQ(m_commands.waitFor(2), (std::vector<std::string>{"one", "three"}));
    EXPECT_EQ(m_refused.waitFor(2).size(), 2u);
}

TEST_F(ControlSocketTest, SeveralViewersAtOnce) {
    const auto first = connectTo(m_run.folder()), second = connectTo(m_run.folder());
    sendText(first, token());
    sendText(second, token() + encodeCommand({.id = "b", .kind = CommandKind::pause}) + "\n");
    m_commands.waitFor(1);
    sendText(first, encodeCommand({.id = "a", .kind = CommandKind::pause}) + "\n");
    EXPECT_EQ(m_commands.waitFor(2), (std::vector<std::string>{"b", "a"}));
}

TEST_F(ControlSocketTest, WrongTokenOrEndlessLineIsCutOff) {
    const auto stranger = connectTo(m_run.folder());
    sendText(stranger, std::string(64, '0') + "\n" + encodeCommand({.id = "x", .kind = CommandKind::stop}) + "\n");
    EXPECT_TRUE(closedByPeer(stranger));
    const auto flood = connectTo(m_run.folder());
    sendText(flood, token());
    const std::string line(100 * 1024, 'x');
    (void)send(flood.get(), line.data(), line.size(), MSG_NOSIGNAL);
    EXPECT_TRUE(closedByPeer(flood));
    EXPECT_TRUE(m_commands.waitFor(1, 50).empty());
}

TEST(ControlSocketPlaces, WorksInADeepFolderAndTidiesUp) {
    test::TempRun run;
    RunFolder deep{run.folder().path / std::string(100, 'd') / "läufe 目录"};
    std::filesystem::create_directories(deep.path);
    Received commands;
    {
        const ControlSocket socket(
            deep, [&](const Command& command) { commands.add(command.id); }, [](const std::string&) {});
        const auto peer = connectTo(deep);
        sendText(peer, readWholeFile(deep.controlToken()) +
                           encodeCommand({.id = "deep", .kind = CommandKind::checkpoint}) + "\n");
        EXPECT_EQ(commands.waitFor(1), std::vector<std::string>{"deep"});
    }
    EXPECT_FALSE(std::filesystem::exists(deep.controlSocket()));
    EXPECT_FALSE(std::filesystem::exists(deep.controlToken()));
}

}  // namespace
}  // namespace unmask
