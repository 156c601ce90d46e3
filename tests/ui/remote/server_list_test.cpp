// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_list.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temp_run.h"

namespace unmask::ui {
namespace {

using test::readBytes;
using test::writeBytes;

class ServerListTest : public testing::Test {
 protected:
    static ServerEntry entry(const char* name) {
        ServerEntry entry;
        entry.name = QString::fromUtf8(name);
        entry.address = *readServerAddress(QStringLiteral("ssh ann@host -p 2222 -J jump -i key")).address;
        entry.group = QStringLiteral("lab");
        entry.environment = {QStringLiteral("PATH=/opt/bin:$PATH")};
        return entry;
    }
    test::TempFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "new folder" / "servers.json";
};

TEST_F(ServerListTest, WhatIsPutIsThereTheNextTime) {
    {
        ServerList list(m_file);
        list.put(entry("实验室"));
        list.put(entry("second"));
        list.remove(QStringLiteral("second"));
    }
    const ServerList again(m_file);
    ASSERT_EQ(again.entries().size(), 1u);
    EXPECT_EQ(again.entries()[0], entry("实验室"));
    struct stat status {};
    ASSERT_EQ(stat(m_file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST_F(ServerListTest, NamesStayUnique) {
    ServerList list(m_file);
    list.put(entry("lab"));
    EXPECT_EQ(list.freeName(QStringLiteral("lab")), QStringLiteral("lab 2"));
    ServerEntry other = entry("lab");
    other.address.port = 7;
    list.put(other);
    ASSERT_EQ(list.entries().size(), 1u);
    EXPECT_EQ(list.entries()[0].address.port, 7);
}

TEST_F(ServerListTest, ADamagedFileIsKeptAside) {
    std::filesystem::create_directories(m_file.parent_path());
    writeBytes(m_file, "{\"servers\": [");
    const ServerList list(m_file);
    EXPECT_TRUE(list.entries().empty());
    EXPECT_FALSE(list.problem().isEmpty());
    EXPECT_TRUE(std::filesystem::exists(m_file.string() + ".bad"));
}

TEST_F(ServerListTest, EntriesThatCouldNotHaveBeenTypedAreLeftOut) {
    std::filesystem::create_directories(m_file.parent_path());
    writeBytes(m_file, R"json({"servers":[{"name":"a","host":"-oProxyCommand=x"},{"name":"b","host":"h","user":"$(x)"},
        {"name":"c","host":"h","jumps":["a;b"]},{"name":"","host":"h"},7,{"name":"good","host":"h","port":99999999}]})json");
    const ServerList list(m_file);
    ASSERT_EQ(list.entries().size(), 1u);
    EXPECT_EQ(list.entries()[0].name, QStringLiteral("good"));
}

}  // namespace
}  // namespace unmask::ui
