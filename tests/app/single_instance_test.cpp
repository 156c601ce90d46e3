// SPDX-License-Identifier: Apache-2.0
#include "app/single_instance.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QFile>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <thread>

using namespace unmask::ui;

namespace {

TEST(SingleInstance, SecondHandsItsPathsToTheFirst) {
    QTemporaryDir folder;
    SingleInstance first(folder.path());
    ASSERT_TRUE(first.becomeFirst());
    QSignalSpy received(&first, &SingleInstance::pathsReceived);

    bool second = true;
    bool taken = false;
    std::thread other([&] {
        SingleInstance instance(folder.path());
        second = instance.becomeFirst();
        taken = instance.handOver({QStringLiteral("/data/训练 数据/a b'c.txt"), QStringLiteral("/Überprüfung")});
    });
    ASSERT_TRUE(received.wait(5000));
    other.join();
    EXPECT_FALSE(second);
    EXPECT_TRUE(taken);
    EXPECT_EQ(received.first().first().toStringList(),
              QStringList({QStringLiteral("/data/训练 数据/a b'c.txt"), QStringLiteral("/Überprüfung")}));
}

TEST(SingleInstance, SocketIsTheUsersAlone) {
    QTemporaryDir folder;
    SingleInstance first(folder.path());
    ASSERT_TRUE(first.becomeFirst());
    struct stat info {};
    ASSERT_EQ(stat(first.socketPath().toLocal8Bit().constData(), &info), 0);
    EXPECT_TRUE(S_ISSOCK(info.st_mode));
    EXPECT_EQ(info.st_mode & 0077, 0u);
}

TEST(SingleInstance, SocketLeftByAKilledWindowIsNoObstacle) {
    QTemporaryDir folder;
    QFile left(folder.filePath(QStringLiteral("studio.sock")));
    ASSERT_TRUE(left.open(QIODevice::WriteOnly));
    left.close();
    SingleInstance first(folder.path());
    EXPECT_TRUE(first.becomeFirst());
    QLocalSocket probe;
    probe.connectToServer(first.socketPath());
    EXPECT_TRUE(probe.waitForConnected(1000));
}

// A window killed between making its lock file and writing into it leaves an empty one.
TEST(SingleInstance, EmptyLockFileOfAKilledWindowIsNoObstacle) {
    QTemporaryDir folder;
    QFile left(folder.filePath(QStringLiteral("studio.lock")));
    ASSERT_TRUE(left.open(QIODevice::WriteOnly));
    left.close();
    SingleInstance first(folder.path());
    EXPECT_TRUE(first.becomeFirst());
}

TEST(SingleInstance, LongFolderStillGetsASocket) {
    QTemporaryDir folder;
    SingleInstance first(folder.filePath(QString(120, QLatin1Char('x'))));
    EXPECT_TRUE(first.becomeFirst());
    EXPECT_LT(first.socketPath().size(), 108);
}

}  // namespace
