// SPDX-License-Identifier: Apache-2.0
#include "ui/client/engine_task.h"

#include <gtest/gtest.h>

#include <QPointer>

#include "tests/ui/support/wait_for.h"

namespace unmask::ui {
namespace {

using test::waitFor;

EngineTask* shell(const char* script) {
    return new EngineTask(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromLatin1(script)});
}

TEST(EngineTask, ReportsOnceAndGoesAway) {
    QPointer<EngineTask> task = shell("echo one >&2; echo two >&2; echo '{\"a\":1}'");
    QStringList lines;
    int replies = 0;
    EngineReply reply;
    QObject::connect(task, &EngineTask::progressed, task, [&](const QString& line) { lines << line; });
    QObject::connect(task, &EngineTask::finished, task, [&](const EngineReply& r) {
        reply = r;
        ++replies;
    });
    task->start();
    ASSERT_TRUE(waitFor([&] { return replies > 0; }));
    EXPECT_TRUE(reply.ok);
    EXPECT_EQ(reply.json["a"], 1);
    EXPECT_EQ(lines, (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_TRUE(task.isNull());
    EXPECT_EQ(replies, 1);
}

TEST(EngineTask, ASignalIsSaidInWords) {
    EngineTask* task = shell("kill -9 $$");
    EngineReply reply;
    bool done = false;
    QObject::connect(task, &EngineTask::finished, task, [&](const EngineReply& r) {
        reply = r;
        done = true;
    });
    task->start();
    ASSERT_TRUE(waitFor([&] { return done; }));
    EXPECT_FALSE(reply.ok);
    EXPECT_FALSE(reply.sentence.isEmpty());
}

TEST(EngineTask, ACancelledOneSaysNothing) {
    EngineTask* task = shell("sleep 30");
    bool said = false;
    QObject::connect(task, &EngineTask::finished, task, [&] { said = true; });
    task->start();
    waitFor([] { return false; }, 50);
    task->cancel();
    waitFor([] { return false; }, 50);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_FALSE(said);
}

}  // namespace
}  // namespace unmask::ui
