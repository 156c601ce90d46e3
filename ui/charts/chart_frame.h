// SPDX-License-Identifier: Apache-2.0
// One picture of a chart: ranges, ticks, decimated lines and marks, worked out once and then painted. Internal.
#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>

#include "ui/charts/axis_ticks.h"
#include "ui/charts/chart_state.h"
#include "ui/charts/plot_scene.h"
#include "ui/style/colors.h"

class QPainter;

namespace unmask::ui {

struct FrameRequest {
    QSize size;
    double devicePixelRatio = 1;
    bool draft = false;      // while a finger drags: thinner lines, no smooth edges
    int columnsDivisor = 1;  // 2 when the page is over its budget of points
    const ChartColors* colors = nullptr;
    QFont font;              // of tick labels
    bool withTitle = false;  // exports carry their title
};

class ChartFrame {
 public:
    ChartFrame(const ChartState& state, FrameRequest request);

    void paint(QPainter& painter, PlotScene& scene) const;

    QRectF plot() const { return m_plot; }
    Range xRange() const { return m_x; }
    Range yRange() const { return m_y; }  // log10 on a log axis
    QPointF toPixels(const QPointF& value) const;
    double xAt(double pixel) const;
    double yAt(double pixel) const;
    double em() const { return m_em; }
    size_t drawnPoints() const { return m_drawnPoints; }
    QColor colorOf(const ChartSeries& series) const;

 private:
    struct Line {
        const ChartSeries* series;
        const Decimated* data;
        bool faint;
        bool thin;
    };
    struct LegendEntry {
        const ChartSeries* series;
        QString text;
        QRectF box;
    };

    void chooseLines();
    void chooseYRange();
    void layOut();
    void layOutLegend();
    DecimationView view() const;
    double drawnValue(double value) const;

    QRectF bandOf(const EvidenceWindow& window) const;  // empty where it is not in view
    void paintBands(QPainter& painter) const;
    void paintBandLabels(QPainter& painter) const;
    void paintGrid(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintJoints(QPainter& painter) const;
    void paintLines(QPainter& painter, PlotScene& scene) const;
    void paintDots(QPainter& painter) const;
    void paintLineMarks(QPainter& painter) const;
    void paintBadMarks(QPainter& painter) const;
    void paintArrows(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintNotice(QPainter& painter) const;
    void paintNote(QPainter& painter, const QRectF& box, const QString& text, const QColor& ground) const;

    const ChartState& m_state;
    FrameRequest m_request;
    double m_em;
    QRectF m_plot;
    Range m_x;
    Range m_y;
    std::vector<Line> m_lines;
    std::vector<Decimated> m_tails;  // points before a resume
    std::vector<Tick> m_xTicks;
    std::vector<Tick> m_yTicks;
    std::vector<LegendEntry> m_legend;
    double m_legendHeight = 0;
    Outside m_outside;
    size_t m_drawnPoints = 0;
    bool m_empty = true;
};

// Texts of one value on the y axis of this chart, as tooltips and legends show it.
QString valueText(const ChartState& state, double value);
QString xText(XAxis axis, double x);

}  // namespace unmask::ui
