// SPDX-License-Identifier: Apache-2.0
// The figures that were promised, with room for slow machines; the measured ones are printed.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <cmath>

#include "engine/base/clock.h"
#include "tests/support/temp_run.h"
#include "tests/ui/support/journal_text.h"
#include "tests/ui/support/wait_for.h"
#include "ui/store/run_store.h"
#include "ui/store/store_worker.h"

namespace unmask::ui {
namespace {

using test::resultOf;

class RunStoreSpeedTest : public testing::Test {
 protected:
    RunStoreSpeedTest() {
        m_options.database = m_folder.path() / "history.sqlite";
        m_options.annotations = m_folder.path() / "annotations.jsonl";
        m_options.runsFolder = m_folder.path() / "runs";
        m_options.scan = false;
    }

    // A run of `steps` records with `series` figures each, made without JSON so that only the store is timed.
    static RecordBatchPtr makeBatch(int64_t first, int64_t count, int series) {
        auto batch = std::make_shared<RecordBatch>();
        batch->afterSeq = first - 1;
        const std::string time = utcNow();
        for (int64_t seq = first; seq < first + count; ++seq) {
            MetricsEvent metrics{seq * 1000, static_cast<double>(seq), {}};
            for (int i = 0; i < series; ++i)
                metrics.values["figure/" + std::to_string(i)] = std::sin(static_cast<double>(seq + i));
            batch->records.push_back({seq, 1, time, seq, std::move(metrics)});
        }
        batch->last = {first + count - 1, 1, 1};
        return batch;
    }
    static double fill(StoreWorker& worker, const QString& key, int64_t steps, int series) {
        double seconds = 0;
        for (int64_t first = 1; first <= steps; first += 4096) {
            const auto batch = makeBatch(first, std::min<int64_t>(4096, steps - first + 1), series);
            QElapsedTimer clock;
            clock.start();
            EXPECT_EQ(worker.ingest(key, batch), IngestOutcome::stored);
            seconds += static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        }
        return seconds;
    }
    double timedHistory(const QString& key, RunHistoryPtr& history) {
        RunStore store(m_options);
        store.open();
        resultOf(store.runs());
        QElapsedTimer clock;
        clock.start();
        history = resultOf(store.history(key));
        return static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    }

    test::TempFolder m_folder;
    StoreOptions m_options;
};

TEST_F(RunStoreSpeedTest, HundredThousandStepsOfTenSeriesOpenInASecond) {
    double written = 0;
    {
        StoreWorker worker(m_options);
        worker.open();
        const QString key = worker.add(RunFolder{"/nowhere/long"}, test::describeRun("long"));
        written = fill(worker, key, 100000, 10);
        worker.close();
    }
    RunHistoryPtr history;
    const double seconds = timedHistory(QStringLiteral("long"), history);
    ASSERT_EQ(history->series.size(), 10u);
    for (const SeriesColumns& series : history->series)
        EXPECT_EQ(series.size(), 100000u);
    std::printf("100,000 steps x 10 series: written in %.2f s, opened in %.3f s, file %.1f MB\n", written, seconds,
                static_cast<double>(std::filesystem::file_size(m_options.database)) / 1e6);
    EXPECT_LT(seconds, 1.0);
}

TEST_F(RunStoreSpeedTest, ACurveOfAMillionPointsOpensInThreeTenthsOfASecond) {
    {
        StoreWorker worker(m_options);
        worker.open();
        fill(worker, worker.add(RunFolder{"/nowhere/million"}, test::describeRun("million")), 1000000, 1);
        worker.close();
    }
    RunStore store(m_options);
    store.open();
    resultOf(store.runs());
    QElapsedTimer clock;
    clock.start();
    const auto curve = resultOf(store.series(QStringLiteral("million"), QStringLiteral("figure/0")));
    const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    EXPECT_EQ(curve->size(), 1000000u);
    std::printf("1,000,000 points of one curve: opened in %.3f s\n", seconds);
    EXPECT_LT(seconds, 0.6);
}

TEST_F(RunStoreSpeedTest, TenThousandRunsListInASecond) {
    {
        StoreWorker worker(m_options);
        worker.open();
        worker.setBulk(true);
        const auto batch = makeBatch(1, 3, 8);
        for (int i = 0; i < 10000; ++i) {
            const std::string id = "run-" + std::to_string(i);
            worker.ingest(worker.add(RunFolder{"/nowhere/" + id}, test::describeRun(id)), batch);
        }
        worker.close();
    }
    RunStore store(m_options);
    store.open();
    resultOf(store.spec(QStringLiteral("run-1")));
    QElapsedTimer clock;
    clock.start();
    const auto rows = resultOf(store.runs());
    const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    EXPECT_EQ(rows.size(), 10000u);
    std::printf("10,000 runs listed in %.3f s\n", seconds);
    EXPECT_LT(seconds, 1.5);
}

}  // namespace
}  // namespace unmask::ui
