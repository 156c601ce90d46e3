// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_address.h"

#include <gtest/gtest.h>

#include "tests/ui/remote/hostile_strings.h"

namespace unmask::ui {
namespace {

ServerAddress read(const char* text) {
    const AddressReading reading = readServerAddress(QString::fromUtf8(text));
    EXPECT_TRUE(reading.address) << text << ": " << reading.problem.toStdString();
    return reading.address.value_or(ServerAddress{});
}
QString problemOf(const QString& text) {
    const AddressReading reading = readServerAddress(text);
    EXPECT_FALSE(reading.address) << text.toStdString();
    EXPECT_FALSE(reading.problem.isEmpty());
    return reading.problem;
}

TEST(ServerAddress, ReadsWhatPeopleType) {
    EXPECT_EQ(read("lab1"), (ServerAddress{QStringLiteral("lab1")}));
    EXPECT_EQ(read("  实验室  ").host, QStringLiteral("实验室"));
    EXPECT_EQ(read("ann@gpu.example.org"), (ServerAddress{QStringLiteral("gpu.example.org"), QStringLiteral("ann")}));
    EXPECT_EQ(read("ann@10.0.0.7:2222"), (ServerAddress{QStringLiteral("10.0.0.7"), QStringLiteral("ann"), 2222}));
    EXPECT_EQ(read("ann@realm@host").user, QStringLiteral("ann@realm"));
    EXPECT_EQ(read("::1").host, QStringLiteral("::1"));
    EXPECT_EQ(read("[fe80::1%eth0]:22"), (ServerAddress{QStringLiteral("fe80::1%eth0"), {}, 22}));
    EXPECT_EQ(read("ssh://ann@host:2200/").port, 2200);
}

TEST(ServerAddress, ReadsPastedCommands) {
    const ServerAddress whole{QStringLiteral("host"),
                              QStringLiteral("ann"),
                              2222,
                              {QStringLiteral("bob@jump:22"), QStringLiteral("inner")},
                              QStringLiteral("~/.ssh/my key")};
    EXPECT_EQ(read("ssh ann@host -p 2222 -J bob@jump:22,inner -i '~/.ssh/my key'"), whole);
    EXPECT_EQ(read("ssh -p2222 -l ann -A -tt -vvv -oProxyJump=bob@jump:22,inner -i \"~/.ssh/my key\" host"), whole);
    EXPECT_EQ(read("ssh -o Port=7 -o 'HostName 10.1.1.1' alias"), (ServerAddress{QStringLiteral("10.1.1.1"), {}, 7}));
    EXPECT_EQ(read("ssh ssh").host, QStringLiteral("ssh"));
}

TEST(ServerAddress, SaysWhatItDoesNotTake) {
    EXPECT_TRUE(problemOf(QStringLiteral("ssh host rm -rf /")).contains(QStringLiteral("rm")));
    EXPECT_TRUE(problemOf(QStringLiteral("ssh -L 8080:localhost:80 host")).contains(QStringLiteral("-L")));
    EXPECT_TRUE(problemOf(QStringLiteral("ssh -o StrictHostKeyChecking=no host")).contains(QStringLiteral("config")));
    EXPECT_TRUE(problemOf(QStringLiteral("host:70000")).contains(QStringLiteral("65535")));
    problemOf(QStringLiteral("ssh -p"));
    problemOf(QStringLiteral("ssh -p 22"));
    problemOf({});
}

TEST(ServerAddress, WritesWhatItReads) {
    for (const char* text : {"lab1", "ann@host:22", "[::1]:22", "ann@[::1]:22", "ann@host"})
        EXPECT_EQ(addressText(read(text)), QString::fromUtf8(text));
    EXPECT_EQ(addressText(read("::1")), QStringLiteral("[::1]"));
}

TEST(ServerAddress, KnowsAJumpInAProxyCommand) {
    const auto jump = jumpOfProxyCommand(QStringLiteral("ssh -l bob -p 2200 -J first -W '[%h]:%p' jump"));
    ASSERT_TRUE(jump);
    EXPECT_EQ(addressText(*jump), QStringLiteral("bob@jump:2200"));
    EXPECT_EQ(jump->jumps, QStringList{QStringLiteral("first")});
    EXPECT_FALSE(jumpOfProxyCommand(QStringLiteral("nc %h %p")));
    EXPECT_FALSE(jumpOfProxyCommand(QStringLiteral("ssh jump nc %h %p")));
    EXPECT_FALSE(jumpOfProxyCommand(QStringLiteral("ssh -W %h:%p 'a;b'")));
}

TEST(ServerAddress, NoHostileStringGetsThrough) {
    const QStringList hostile = test::hostileStrings(QStringLiteral("/tmp/never"));
    EXPECT_GE(hostile.size(), 200);
    for (const QString& text : hostile) {
        for (const QString& line :
             {text, QStringLiteral("ann@") + text, text + QStringLiteral("@host"),
              QStringLiteral("ssh -J '%1' host").arg(text), QStringLiteral("ssh -l '%1' host").arg(text)})
            EXPECT_FALSE(readServerAddress(line).address) << line.toStdString();
        EXPECT_FALSE(isServerHost(text)) << text.toStdString();
    }
}

}  // namespace
}  // namespace unmask::ui
