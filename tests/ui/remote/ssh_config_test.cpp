// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_config.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"

namespace unmask::ui {
namespace {

using test::writeBytes;

class SshConfigTest : public testing::Test {
 protected:
    SshConfigTest() {
        m_places.folder = m_folder.path();
        m_places.config = m_folder.path() / "config";
        m_places.knownHosts = m_folder.path() / "known_hosts";
    }
    void config(const std::string& text) const { writeBytes(m_places.config, text); }
    SshRoute route(const char* host) const {
        return routeTo(*readServerAddress(QLatin1String(host)).address, m_places);
    }

    test::TempFolder m_folder;
    SshPlaces m_places;
};

TEST_F(SshConfigTest, AnAliasIsFollowed) {
    config(
        "Host lab1 other\n  HostName 10.0.0.7\n  User ann\n  Port 2222\n  IdentityFile lab_key\n"
        "  IdentityFile \"/keys/second key\"\nHost *\n  IdentityFile everywhere\n");
    const SshRoute lab = route("lab1");
    ASSERT_EQ(lab.hops.size(), 1u) << lab.problem.toStdString();
    EXPECT_EQ(lab.hops[0].host, QStringLiteral("10.0.0.7"));
    EXPECT_EQ(lab.hops[0].user, QStringLiteral("ann"));
    EXPECT_EQ(lab.hops[0].port, 2222);
    EXPECT_EQ(lab.hops[0].keyFiles, (std::vector<std::filesystem::path>{m_folder.path() / "lab_key", "/keys/second key",
                                                                        m_folder.path() / "everywhere"}));
}

TEST_F(SshConfigTest, WhatIsTypedGoesBeforeTheFile) {
    config("Host lab1\n  HostName 10.0.0.7\n  User ann\n  Port 2222\n");
    const SshRoute lab = route("bob@lab1:22");
    ASSERT_EQ(lab.hops.size(), 1u);
    EXPECT_EQ(lab.hops[0].user, QStringLiteral("bob"));
    EXPECT_EQ(lab.hops[0].port, 22);
}

TEST_F(SshConfigTest, JumpsComeInTheirOrder) {
    config("Host inner\n  ProxyJump bob@first:2201,second\nHost second\n  User carl\n  Port 2202\n");
    const SshRoute inner = route("inner");
    ASSERT_EQ(inner.hops.size(), 3u) << inner.problem.toStdString();
    EXPECT_EQ(inner.hops[0].host, QStringLiteral("first"));
    EXPECT_EQ(inner.hops[0].user, QStringLiteral("bob"));
    EXPECT_EQ(inner.hops[0].port, 2201);
    EXPECT_EQ(inner.hops[1].user, QStringLiteral("carl"));
    EXPECT_EQ(inner.hops[1].port, 2202);
    EXPECT_EQ(inner.hops[2].host, QStringLiteral("inner"));
}

TEST_F(SshConfigTest, CirclesAndForeignProxyCommandsAreSaid) {
    config("Host a\n  ProxyJump b\nHost b\n  ProxyJump a\nHost c\n  ProxyCommand nc %h %p\n");
    EXPECT_TRUE(route("a").problem.contains(QStringLiteral("circle")));
    EXPECT_TRUE(route("c").problem.contains(QStringLiteral("ProxyJump")));
}

TEST_F(SshConfigTest, NamesAreListedWithoutPatterns) {
    writeBytes(m_folder.path() / "more.conf", "Host 实验室 lab2\n");
    config("Host lab1 *.cluster !bad lab1\nInclude more*.conf\nInclude more.conf\nHost *\n");
    EXPECT_EQ(configuredHosts(m_places),
              (QStringList{QStringLiteral("lab1"), QStringLiteral("实验室"), QStringLiteral("lab2")}));
}

TEST_F(SshConfigTest, NoFileAtAllIsNoTrouble) {
    const SshRoute lab = route("ann@lab1");
    ASSERT_EQ(lab.hops.size(), 1u);
    EXPECT_EQ(lab.hops[0].port, 22);
    EXPECT_TRUE(lab.hops[0].keyFiles.empty());
    EXPECT_TRUE(configuredHosts(m_places).isEmpty());
}

}  // namespace
}  // namespace unmask::ui
