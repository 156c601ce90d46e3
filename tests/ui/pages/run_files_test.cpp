// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_files.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QThreadPool>

#include "tests/ui/support/wait_for.h"

using namespace unmask;
using namespace unmask::ui;
using unmask::test::resultOf;

namespace {

TEST(RunFiles, AWrittenFileReadsBackAsTheSameRun) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("扩散 run.json"));
    RunSpec spec;
    spec.launch.name = "round trip";
    spec.training.batchSize = 24;
    EXPECT_TRUE(resultOf(writeRunFileLater(file, spec)).sentence.isEmpty());
    const RunFileReply reply = resultOf(readRunFileLater(file));
    ASSERT_TRUE(reply.spec) << reply.sentence.toStdString();
    EXPECT_EQ(reply.spec->training.batchSize, 24);
    EXPECT_EQ(reply.spec->launch.name, "round trip");
}

// result() waits only for a future that has started; the work may still stand in the queue.
TEST(RunFiles, TheAnswerMayBeAskedForAtOnce) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("run.json"));
    QThreadPool& pool = *QThreadPool::globalInstance();
    QSemaphore gate;
    const int threads = pool.maxThreadCount();
    for (int i = 0; i < threads; ++i)
        pool.start([&gate] { gate.acquire(); });
    QFuture<RunFileReply> written = writeRunFileLater(file, {});
    QFuture<RunFileReply> read = readRunFileLater(file + QStringLiteral(".none"));
    EXPECT_TRUE(written.isStarted());
    EXPECT_TRUE(read.isStarted());
    gate.release(threads);
    pool.waitForDone();
    EXPECT_TRUE(written.result().sentence.isEmpty());
    EXPECT_FALSE(read.result().sentence.isEmpty());
}

TEST(RunFiles, WhatCannotBeReadOrWrittenGivesASentence) {
    QTemporaryDir folder;
    const RunFileReply missing = resultOf(readRunFileLater(folder.filePath(QStringLiteral("none.json"))));
    EXPECT_FALSE(missing.spec);
    EXPECT_FALSE(missing.sentence.isEmpty());

    QFile broken(folder.filePath(QStringLiteral("broken.json")));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("{\"model\": ");
    broken.close();
    EXPECT_FALSE(resultOf(readRunFileLater(broken.fileName())).sentence.isEmpty());

    const QString nowhere = folder.filePath(QStringLiteral("broken.json/below.json"));
    EXPECT_FALSE(resultOf(writeRunFileLater(nowhere, {})).sentence.isEmpty());
}

}  // namespace
