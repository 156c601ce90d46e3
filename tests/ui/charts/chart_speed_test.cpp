// SPDX-License-Identifier: Apache-2.0
// Figures of the charts on this machine, off screen in software, printed and held under generous limits (four times the
// goals of the design), so that a change of order shows and a busy machine does not.
#include <gtest/gtest.h>

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <random>

#include "ui/charts/chart_clock.h"
#include "ui/charts/chart_widget.h"

namespace unmask::ui {
namespace {

constexpr int kMillion = 1000000;

const PointBatch& lossCurve() {
    static const PointBatch batch = [] {
        PointBatch made;
        made.reserve(kMillion);
        std::mt19937_64 random(1);
        std::normal_distribution<double> noise(0, 0.15);
        double clock = 0;
        for (int i = 1; i <= kMillion; ++i) {
            clock += 0.05 + 0.001 * static_cast<double>(random() % 10);
            made.push(i, i * 2048.0, clock, 1.7e9 + clock, 2.4 + 3.2 * std::exp(-i / 60000.0) + noise(random));
        }
        return made;
    }();
    return batch;
}

// CPU time of this thread: what else the machine does hardly counts.
class CpuTimer {
 public:
    CpuTimer() : m_start(now()) {}
    double ms() const { return now() - m_start; }

 private:
    static double now() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    double m_start;
};

double medianMs(int times, const std::function<void()>& work) {
    std::vector<double> all;
    for (int i = 0; i < times; ++i) {
        const CpuTimer timer;
        work();
        all.push_back(timer.ms());
    }
    std::nth_element(all.begin(), all.begin() + times / 2, all.end());
    return all[static_cast<size_t>(times / 2)];
}

void report(const char* what, double ms) {
    std::printf("  %-58s %8.1f ms\n", what, ms);
}

void dress(ChartWidget& chart) {
    chart.resize(1200, 500);
    chart.addSeries(QStringLiteral("s"), {.name = QStringLiteral("loss")});
}

double residentMiB() {
    std::ifstream statm("/proc/self/statm");
    double pages = 0;
    statm >> pages >> pages;
    return pages * 4096 / 1048576;
}

TEST(ChartSpeed, AMillionPointsRawAndSmoothed) {
    ChartWidget chart;
    dress(chart);
    chart.setData(QStringLiteral("s"), lossCurve());
    chart.show();
    const CpuTimer timer;
    chart.renderNow();
    const double first = timer.ms();
    report("1 M points raw + smoothed, from nothing (smooth, decimate)", first);
    report("the same again (decimation kept)", medianMs(9, [&] { chart.renderNow(); }));
    double from = 0;
    const double pan = medianMs(21, [&] {
        from += 7919;
        chart.zoomTo(from, from + 500000);
        chart.renderNow();
    });
    report("another half of it in view, full quality", pan);
    QTest::mousePress(&chart, Qt::MiddleButton, {}, QPoint(600, 200));
    int x = 600;
    const double drag = medianMs(21, [&] {
        const QPointF place(x -= 9, 200);
        QMouseEvent move(QEvent::MouseMove, place, chart.mapToGlobal(place), Qt::NoButton, Qt::MiddleButton, {});
        QApplication::sendEvent(&chart, &move);
        chart.renderNow();
    });
    QTest::mouseRelease(&chart, Qt::MiddleButton, {}, QPoint(x, 200));
    report("a frame while dragging", drag);
    std::printf("  memory of the series %.1f MiB\n",
                static_cast<double>(chart.buffer(QStringLiteral("s"))->bytes()) / 1048576);
    EXPECT_LT(first, 400);
    EXPECT_LT(drag, 70);
}

TEST(ChartSpeed, FourChartsRebuiltFromNothing) {
    std::vector<std::unique_ptr<ChartWidget>> charts;
    for (int i = 0; i < 4; ++i) {
        charts.push_back(std::make_unique<ChartWidget>());
        dress(*charts.back());
        charts.back()->setData(QStringLiteral("s"), lossCurve());
        charts.back()->show();
    }
    const CpuTimer timer;
    for (const auto& chart : charts)
        chart->renderNow();
    const double nothing = timer.ms();
    report("four charts of 1 M points rebuilt from nothing", nothing);
    const double kept = medianMs(5, [&] {
        for (const auto& chart : charts)
            chart->renderNow();
    });
    report("four charts again from what is kept", kept);
    EXPECT_LT(nothing, 400);
    EXPECT_LT(kept, 200);
}

TEST(ChartSpeed, TenThousandPointsASecondOver200Series) {
    constexpr int kCharts = 4;
    constexpr int kSeriesEach = 50;
    constexpr int kPerBatch = 5;  // 200 series × 5 points × 10 times a second
    std::vector<std::unique_ptr<ChartWidget>> charts;
    for (int i = 0; i < kCharts; ++i) {
        charts.push_back(std::make_unique<ChartWidget>());
        charts.back()->resize(800, 400);
        for (int j = 0; j < kSeriesEach; ++j)
            charts.back()->addSeries(QString::number(j),
                                     {.name = QString::number(j), .color = j, .smoothed = false, .thin = true});
        charts.back()->show();
    }
    const double before = residentMiB();
    std::vector<double> frames;
    std::vector<double> feeds;
    double step = 0;
    for (int second = 0; second < 100; ++second) {  // a hundred tenths of a second of data, as fast as it goes
        const CpuTimer timer;
        for (const auto& chart : charts)
            for (int j = 0; j < kSeriesEach; ++j) {
                PointBatch batch;
                for (int k = 0; k < kPerBatch; ++k)
                    batch.push(step + k, (step + k) * 2048, (step + k) * 0.1, 1.7e9 + step + k,
                               std::sin((step + k) * 0.01 + j));
                chart->appendBatch(QString::number(j), batch);
            }
        step += kPerBatch;
        feeds.push_back(timer.ms());
        for (const auto& chart : charts) {
            const CpuTimer frame;
            chart->renderNow();
            frames.push_back(frame.ms());
        }
    }
    std::sort(frames.begin(), frames.end());
    std::sort(feeds.begin(), feeds.end());
    report("taking in 1,000 points of 200 series, median", feeds[feeds.size() / 2]);
    report("a frame of one chart with 50 series, median", frames[frames.size() / 2]);
    report("a frame of one chart with 50 series, 95th percentile", frames[frames.size() * 95 / 100]);
    std::printf("  memory grown %.1f MiB for %.0f points\n", residentMiB() - before, step * kCharts * kSeriesEach);
    EXPECT_LT(frames[frames.size() * 95 / 100], 150);
}

}  // namespace
}  // namespace unmask::ui
