// SPDX-License-Identifier: Apache-2.0
#include "ui/models/log_indexer.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

TEST(LogIndexer, OffsetsAreWhereLinesBegin) {
    const test::TempFolder folder;
    const auto file = folder.path() / "rank-0.log";
    test::writeBytes(file, "one\n\nthree\r\nlast");
    LogIndexer indexer(2);
    std::vector<qint64> offsets;
    QStringList lines;
    QObject::connect(&indexer, &LogIndexer::indexed, &indexer, [&](quint64, const std::vector<qint64>& fresh) {
        offsets.insert(offsets.end(), fresh.begin(), fresh.end());
    });
    QObject::connect(&indexer, &LogIndexer::blockRead, &indexer,
                     [&](quint64, int, const QStringList& block) { lines << block; });
    indexer.setNewest(1);
    indexer.open(1, fromPath(file));
    EXPECT_EQ(offsets, (std::vector<qint64>{0, 4, 5, 12}));
    indexer.read(1, 0);
    indexer.read(1, 1);
    indexer.read(1, 2);
    EXPECT_EQ(lines, (QStringList{QStringLiteral("one"), QString(), QStringLiteral("three"), QStringLiteral("last")}));
}

TEST(LogIndexer, RequestsOfAnOlderFileAreDropped) {
    const test::TempFolder folder;
    const auto file = folder.path() / "rank-0.log";
    test::writeBytes(file, "one\n");
    LogIndexer indexer(2);
    int answers = 0;
    QObject::connect(&indexer, &LogIndexer::blockRead, &indexer, [&] { ++answers; });
    indexer.setNewest(1);
    indexer.open(1, fromPath(file));
    indexer.setNewest(2);
    indexer.read(1, 0);
    EXPECT_EQ(answers, 0);
}

}  // namespace
}  // namespace unmask::ui
