// SPDX-License-Identifier: Apache-2.0
// Exactly once, resumes, power cuts, and the seam between rows and chunks.
#include "ui/store/ingest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/ui/support/journal_text.h"
#include "ui/store/history_database.h"
#include "ui/store/history_reader.h"
#include "ui/store/run_index.h"

namespace unmask::ui {
namespace {

using test::JournalText;

class IngestTest : public testing::Test {
 protected:
    void SetUp() override {
        ASSERT_EQ(m_database.open(), OpenOutcome::created);
        m_ingest = std::make_unique<Ingest>(m_database.sql());
        m_key = RunIndex(m_database.sql()).add(RunFolder{"/nowhere/run"}, test::describeRun("run"));
    }

    IngestOutcome take(const RecordBatchPtr& batch) {
        m_database.begin();
        const IngestOutcome outcome = m_ingest->take(m_key, *batch);
        m_database.commit();
        return outcome;
    }
    RunHistory history() { return HistoryReader(m_database.sql()).history(m_key); }
    std::vector<double> stepsOf(const std::string& name) {
        return HistoryReader(m_database.sql()).series(m_key, QString::fromStdString(name)).step;
    }
    int count(const char* statement) { return m_database.sql().value(statement).toInt(); }

    HistoryDatabase m_database{":memory:"};
    std::unique_ptr<Ingest> m_ingest;
    QString m_key;
};

std::vector<double> upTo(int last) {
    std::vector<double> steps;
    for (int i = 1; i <= last; ++i)
        steps.push_back(i);
    return steps;
}

TEST_F(IngestTest, ABatchTwiceCountsOnce) {
    JournalText journal;
    journal.started().losses(1, 50).checkpoint(50);
    EXPECT_EQ(take(journal.batch()), IngestOutcome::stored);
    EXPECT_EQ(take(journal.batch()), IngestOutcome::known);
    EXPECT_EQ(take(journal.batch(10, 20)), IngestOutcome::known);
    EXPECT_EQ(stepsOf("train/loss"), upTo(50));
    const RunHistory run = history();
    EXPECT_EQ(run.events.size(), 2u);
    EXPECT_EQ(run.mark, (RecordMark{52, 1, statedCrc(journal.lines().back())}));
    EXPECT_EQ(run.row.tokens, 500);
    EXPECT_EQ(run.row.elapsedSeconds, 25);
    EXPECT_EQ(run.row.parameters, 123456);
    EXPECT_EQ(run.row.lastValue("train/loss"), 1000.0 / 51);
    EXPECT_EQ(run.row.bestValue("train/loss"), 1000.0 / 51);
    EXPECT_FALSE(run.row.sparkline.empty());
}

TEST_F(IngestTest, OverlappingBatchesJoin) {
    JournalText journal;
    journal.losses(1, 100);
    EXPECT_EQ(take(journal.batch(0, 60)), IngestOutcome::stored);
    EXPECT_EQ(take(journal.batch(40, 60)), IngestOutcome::stored);
    EXPECT_EQ(stepsOf("train/loss"), upTo(100));
}

TEST_F(IngestTest, AGapIsRefusedWhole) {
    JournalText journal;
    journal.losses(1, 100);
    EXPECT_EQ(take(journal.batch(0, 10)), IngestOutcome::stored);
    EXPECT_EQ(take(journal.batch(20, 10)), IngestOutcome::gap);
    EXPECT_EQ(stepsOf("train/loss"), upTo(10));
}

TEST_F(IngestTest, ABatchFromTheStartReplacesEverything) {
    JournalText first, second;
    first.losses(1, 100).checkpoint(100);
    second.started().losses(1, 3);
    take(first.batch());
    auto batch = std::make_shared<RecordBatch>(*second.batch());
    batch->fromStart = true;
    EXPECT_EQ(take(batch), IngestOutcome::stored);
    EXPECT_EQ(stepsOf("train/loss"), upTo(3));
    EXPECT_EQ(history().events.size(), 1u);
}

TEST_F(IngestTest, NanAndInfinitiesComeBack) {
    const double infinity = std::numeric_limits<double>::infinity();
    JournalText journal;
    journal.metrics(1, {{"train/loss", std::nan("")}})
        .metrics(2, {{"train/loss", infinity}})
        .metrics(3, {{"train/loss", -infinity}})
        .metrics(4, {{"train/loss", 2.5}});
    take(journal.batch());
    const SeriesColumns loss = HistoryReader(m_database.sql()).series(m_key, QStringLiteral("train/loss"));
    ASSERT_EQ(loss.size(), 4u);
    EXPECT_TRUE(std::isnan(loss.value[0]));
    EXPECT_EQ(loss.value[1], infinity);
    EXPECT_EQ(loss.value[2], -infinity);
    EXPECT_EQ(loss.value[3], 2.5);
    EXPECT_EQ(history().row.bestValue("train/loss"), 2.5);
}

TEST_F(IngestTest, LongRunsAreSealedWithoutLoss) {
    JournalText journal;
    journal.started();
    for (int step = 1; step <= 30000; ++step)
        journal.metrics(step, step % 100 == 0
                                  ? std::map<std::string, double>{{"train/loss", step}, {"validation/loss", step}}
                                  : std::map<std::string, double>{{"train/loss", step}});
    for (size_t at = 0; at < journal.lines().size(); at += 777)
        ASSERT_EQ(take(journal.batch(at, 777)), IngestOutcome::stored);
    EXPECT_EQ(count("SELECT count(*) FROM frame_chunks"), 6);
    EXPECT_LT(count("SELECT count(*) FROM frames"), 8192);
    EXPECT_EQ(stepsOf("train/loss"), upTo(30000));
    const SeriesColumns validation = HistoryReader(m_database.sql()).series(m_key, QStringLiteral("validation/loss"));
    ASSERT_EQ(validation.size(), 300u);
    for (size_t i = 0; i < 300; ++i) {
        EXPECT_EQ(validation.step[i], 100.0 * static_cast<double>(i + 1));
        EXPECT_EQ(validation.value[i], validation.step[i]);
        EXPECT_EQ(validation.tokens[i], validation.step[i] * 10);
    }
}

TEST_F(IngestTest, FiveResumesMakeOneLine) {
    JournalText journal;
    journal.started().losses(1, 20000);
    for (const int64_t from : {15000, 15500, 9000, 9000, 12000})
        journal.resumed(from).losses(from + 1, from + 4000);
    for (size_t at = 0; at < journal.lines().size(); at += 5000)
        take(journal.batch(at, 5000));
    EXPECT_EQ(stepsOf("train/loss"), upTo(16000));
    const RunHistory run = history();
    ASSERT_EQ(run.superseded.size(), 1u);
    // 20000 − 15000, 19000 − 15500, 19500 − 9000, 13000 − 9000, 13000 − 12000
    EXPECT_EQ(run.superseded[0].size(), 5000u + 3500u + 10500u + 4000u + 1000u);
    EXPECT_EQ(run.row.lastValue("train/loss"), 1000.0 / 16001);
    EXPECT_EQ(run.row.bestValue("train/loss"), 1000.0 / 16001);
    EXPECT_EQ(run.row.tokens, 160000);
}

// Numbers that a power cut took are given out again; what the store had of them never happened.
TEST_F(IngestTest, APowerCutDropsLostRecordsInRowsAndChunks) {
    JournalText journal;
    journal.losses(1, 10000).checkpoint(10000);
    take(journal.batch());
    ASSERT_GT(count("SELECT count(*) FROM frame_chunks"), 0);
    JournalText after = journal;
    after.resumedAfterPowerCut(4000, 5000).losses(4001, 4010);
    take(after.batch(journal.lines().size()));
    EXPECT_EQ(stepsOf("train/loss"), upTo(4010));
    const RunHistory run = history();
    EXPECT_EQ(run.superseded[0].size(), 1000u);
    EXPECT_EQ(run.events.size(), 1u) << "the checkpoint beyond record 5000 is gone, the resume is there";
    EXPECT_EQ(run.mark.seq, 5011);
    EXPECT_EQ(run.mark.attempt, 2);
}

TEST_F(IngestTest, AHigherAttemptWinsEvenWithoutItsFirstRecord) {
    JournalText journal;
    journal.losses(1, 100);
    take(journal.batch());
    JournalText after = journal;
    after.resumedAfterPowerCut(50, 60).losses(51, 55);
    take(after.batch(journal.lines().size() + 1));  // its `resumed` line was damaged
    EXPECT_EQ(stepsOf("train/loss"), upTo(55));
}

TEST_F(IngestTest, DeviceFiguresStandAtTheTokensOfTheirStep) {
    JournalText journal;
    journal.metrics(7, {{"train/loss", 1}}).add(7, DeviceEvent{{{"host/memory_used", 5e9}}});
    take(journal.batch());
    const SeriesColumns memory = HistoryReader(m_database.sql()).series(m_key, QStringLiteral("host/memory_used"));
    ASSERT_EQ(memory.size(), 1u);
    EXPECT_EQ(memory.tokens[0], 70);
    EXPECT_EQ(memory.elapsed[0], 3.5);
    EXPECT_GT(memory.wall[0], 1.7e9);
}

TEST_F(IngestTest, AFaultInTheMiddleLeavesNothing) {
    JournalText journal;
    journal.losses(1, 10);
    take(journal.batch(0, 5));
    m_database.begin();
    EXPECT_EQ(m_ingest->take(m_key, *journal.batch(5)), IngestOutcome::stored);
    m_database.rollback();
    m_ingest->forgetCached();
    EXPECT_EQ(stepsOf("train/loss"), upTo(5));
    EXPECT_EQ(take(journal.batch(5)), IngestOutcome::stored);
    EXPECT_EQ(stepsOf("train/loss"), upTo(10));
}

}  // namespace
}  // namespace unmask::ui
