// SPDX-License-Identifier: Apache-2.0
#include "ui/store/frame_table.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/ui/support/journal_text.h"
#include "ui/store/history_database.h"
#include "ui/store/run_index.h"

namespace unmask::ui {
namespace {

class FrameTableTest : public testing::Test {
 protected:
    void SetUp() override {
        ASSERT_EQ(m_database.open(), OpenOutcome::created);
        m_table = std::make_unique<FrameTable>(m_database.sql());
        RunIndex index(m_database.sql());
        m_run = index.number(index.add(RunFolder{"/nowhere/run"}, test::describeRun("run")));
    }
    static std::vector<Frame> frames(qint64 first, qint64 count) {
        std::vector<Frame> made;
        for (qint64 i = first; i < first + count; ++i)
            made.push_back({i, i, i * 10, 0.5, i * 1000, false, {{0, static_cast<double>(i)}, {1, -1.0}}});
        return made;
    }
    std::vector<double> values(int number, bool superseded = false) {
        std::vector<double> found;
        m_table->read(m_run, number, [&](uint16_t, const FrameColumns& columns, size_t index, double value) {
            if ((columns.superseded[index] != 0) == superseded)
                found.push_back(value);
        });
        return found;
    }
    static std::vector<double> upTo(int last) {
        std::vector<double> all(static_cast<size_t>(last));
        std::iota(all.begin(), all.end(), 1.0);
        return all;
    }

    HistoryDatabase m_database{":memory:"};
    std::unique_ptr<FrameTable> m_table;  // of the opened database
    qint64 m_run = 0;
};

TEST_F(FrameTableTest, SealsAtTwiceAChunkAndReadsInOrder) {
    qint64 tail = m_table->append(m_run, 0, frames(1, 8191));
    EXPECT_EQ(tail, 8191);
    tail = m_table->append(m_run, tail, frames(8192, 1));
    EXPECT_EQ(tail, 0);
    tail = m_table->append(m_run, tail, frames(8193, 5));
    EXPECT_EQ(tail, 5);
    EXPECT_EQ(m_table->tailRows(m_run), 5);
    EXPECT_EQ(values(0), upTo(8197));
    EXPECT_EQ(values(1).size(), 8197u);
    EXPECT_EQ(values(-1).size(), 2 * 8197u);
    EXPECT_TRUE(values(2).empty());
}

TEST_F(FrameTableTest, SupersedesAcrossChunksAndStopsWhereNothingIsLater) {
    m_table->append(m_run, 0, frames(1, 20000));
    m_table->supersede(m_run, 5000);
    EXPECT_EQ(values(0), upTo(5000));
    EXPECT_EQ(values(0, true).size(), 15000u);
    m_table->supersede(m_run, 4999);
    EXPECT_EQ(values(0), upTo(4999));
}

TEST_F(FrameTableTest, RemovesInTheMiddleOfAChunk) {
    m_table->append(m_run, 0, frames(1, 20000));
    m_table->removeBeyond(m_run, 6000);
    EXPECT_EQ(values(0), upTo(6000));
    EXPECT_EQ(m_table->append(m_run, m_table->tailRows(m_run), frames(6001, 10)), 6010 - 4096);
    EXPECT_EQ(values(0), upTo(6010));
    m_table->removeAll(m_run);
    EXPECT_TRUE(values(-1).empty());
}

TEST_F(FrameTableTest, ADamagedChunkIsAFaultOfTheFile) {
    m_table->append(m_run, 0, frames(1, 9000));
    m_database.sql().script(QStringLiteral("UPDATE series_chunks SET points = x'0102'"));
    try {
        values(0);
        FAIL();
    } catch (const StoreError& error) {
        EXPECT_TRUE(error.damaged());
    }
}

}  // namespace
}  // namespace unmask::ui
