// SPDX-License-Identifier: Apache-2.0
// One chart with one series, and ways to look at it pixel by pixel and to move the mouse over it.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/charts/chart_widget.h"
#include "ui/style/style.h"

namespace unmask::ui {

inline const QString kId = QStringLiteral("train");

inline PointBatch points(const std::vector<double>& values, int firstStep = 1) {
    PointBatch batch;
    for (size_t i = 0; i < values.size(); ++i) {
        const double step = firstStep + static_cast<double>(i);
        batch.push(step, step * 1000, step * 0.5, 1.7e9 + step, values[i]);
    }
    return batch;
}

class ChartWidgetTest : public testing::Test {
 protected:
    void SetUp() override {
        m_chart.resize(640, 360);
        m_chart.setTitle(QStringLiteral("Loss"), QStringLiteral("nats/token"));
        m_chart.addSeries(kId, {.name = QStringLiteral("loss"), .color = 0});
        ChartOptions options;
        options.smoothing.kind = SmoothingKind::none;
        options.yRange = YRange::all;
        m_chart.setOptions(options);
    }

    QImage shown() {
        m_chart.show();
        m_chart.renderNow();
        return m_chart.grab().toImage();
    }

    // Straight to the widget: the pointer of the machine is not asked.
    void moveTo(double x, double y, Qt::MouseButtons buttons = {}) {
        QMouseEvent move(QEvent::MouseMove, QPointF(x, y), m_chart.mapToGlobal(QPointF(x, y)), Qt::NoButton, buttons,
                         {});
        QApplication::sendEvent(&m_chart, &move);
    }
    void leave() {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(&m_chart, &event);
    }

    // Columns of pixels, left to right, that hold the colour of the line.
    static std::vector<bool> inkedColumns(const QImage& image) {
        const QColor color = Style::instance().chartColors().series[0];
        std::vector<bool> inked(static_cast<size_t>(image.width()));
        for (int x = 0; x < image.width(); ++x)
            for (int y = 40; y < image.height() - 30 && !inked[static_cast<size_t>(x)]; ++y) {
                const QColor pixel = image.pixelColor(x, y);
                inked[static_cast<size_t>(x)] = std::abs(pixel.red() - color.red()) +
                                                    std::abs(pixel.green() - color.green()) +
                                                    std::abs(pixel.blue() - color.blue()) <
                                                90;
            }
        return inked;
    }

    static int longestGap(const std::vector<bool>& inked) {
        const auto first = std::find(inked.begin(), inked.end(), true);
        const auto last = std::find(inked.rbegin(), inked.rend(), true).base();
        int longest = 0;
        int current = 0;
        for (auto it = first; it < last; ++it) {
            current = *it ? 0 : current + 1;
            longest = std::max(longest, current);
        }
        return longest;
    }

    ChartWidget m_chart;
};

}  // namespace unmask::ui
