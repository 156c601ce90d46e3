// SPDX-License-Identifier: Apache-2.0
// The curves in memory must be those that the index would give after the same records.
#include "ui/models/series_set.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/ui/support/journal_text.h"
#include "ui/store/history_database.h"
#include "ui/store/history_reader.h"
#include "ui/store/ingest.h"
#include "ui/store/run_index.h"

namespace unmask::ui {
namespace {

using test::JournalText;

const QString kLoss = QStringLiteral("train/loss");

TEST(SeriesSet, RepeatedRecordsArePassedOver) {
    JournalText journal;
    journal.started().losses(1, 10);
    SeriesSet series;
    const auto first = series.add(*journal.batch());
    EXPECT_EQ(first.extended, QStringList{kLoss});
    EXPECT_EQ(first.events.size(), 1u);
    const auto again = series.add(*journal.batch(3, 5));
    EXPECT_TRUE(again.extended.isEmpty());
    EXPECT_TRUE(again.events.empty());
    EXPECT_EQ(series.columns(kLoss).size(), 10u);
    EXPECT_EQ(series.mark().seq, 11);
    EXPECT_EQ(series.lastValue("train/loss"), 1000.0 / 11);
}

TEST(SeriesSet, AResumeTakesPointsBackAndKeepsThemAside) {
    JournalText journal;
    journal.losses(1, 10).resumed(6).losses(7, 8);
    SeriesSet series;
    const auto change = series.add(*journal.batch());
    EXPECT_TRUE(change.replaced);
    EXPECT_EQ(series.columns(kLoss).step, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(series.superseded(kLoss).step, (std::vector<double>{7, 8, 9, 10}));
    EXPECT_EQ(series.joints(), std::vector<double>{6});
}

TEST(SeriesSet, AFullReadingStartsOver) {
    JournalText journal;
    journal.losses(1, 10);
    SeriesSet series;
    series.add(*journal.batch());
    RecordBatch again = *journal.batch();
    again.fromStart = true;
    const auto change = series.add(again);
    EXPECT_TRUE(change.restarted);
    EXPECT_EQ(series.columns(kLoss).size(), 10u);
}

// Random journals with resumes and power cuts, cut into random batches, joined with history at a random place.
TEST(SeriesSet, EqualsTheIndexWhereverHistoryEndsAndLiveBegins) {
    std::mt19937 random(11);
    for (int round = 0; round < 30; ++round) {
        JournalText journal;
        journal.started();
        int64_t step = 0;
        for (int part = 0; part < 6; ++part) {
            const int64_t to = step + 1 + static_cast<int64_t>(random() % 60);
            journal.losses(step + 1, to).metrics(to, {{"validation/loss", static_cast<double>(to)}});
            step = static_cast<int64_t>(random() % static_cast<unsigned>(to + 1));
            if (random() % 3 == 0 && step < to)
                journal.resumedAfterPowerCut(step, journal.lastSeq() - static_cast<int64_t>(random() % 2));
            else
                journal.resumed(step);
        }
        HistoryDatabase database(":memory:");
        ASSERT_EQ(database.open(), OpenOutcome::created);
        Ingest ingest(database.sql());
        const QString key = RunIndex(database.sql()).add(RunFolder{"/nowhere/run"}, test::describeRun("run"));
        SeriesSet joined;
        const size_t lines = journal.lines().size();
        const size_t joint = random() % lines;
        for (size_t at = 0; at < lines;) {
            const size_t count = at < joint ? std::min<size_t>(1 + random() % 40, joint - at) : 1 + random() % 40;
            ingest.take(key, *journal.batch(at, count));
            if (at >= joint)
                joined.add(*journal.batch(at, count));
            at += count;
            if (at == joint)
                joined.reset(HistoryReader(database.sql()).history(key));
        }
        if (joint == 0) {
            joined = {};
            joined.add(*journal.batch());
        }
        for (const char* name : {"train/loss", "validation/loss"}) {
            const SeriesColumns stored = HistoryReader(database.sql()).series(key, QString::fromLatin1(name));
            const SeriesColumns& live = joined.columns(QString::fromLatin1(name));
            ASSERT_EQ(live.step, stored.step) << name << " in round " << round << ", joint " << joint;
            ASSERT_EQ(live.value, stored.value);
            ASSERT_EQ(live.tokens, stored.tokens);
            ASSERT_EQ(live.elapsed, stored.elapsed);
            ASSERT_EQ(live.wall, stored.wall);
            for (size_t i = 1; i < live.size(); ++i)
                ASSERT_LT(live.step[i - 1], live.step[i]);
        }
    }
}

}  // namespace
}  // namespace unmask::ui
