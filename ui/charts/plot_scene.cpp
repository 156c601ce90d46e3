// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_scene.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QPainter>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>
#include <cstring>
#include <vector>

namespace unmask::ui {

namespace {

bool sameBytes(const QList<QPointF>& a, const QList<QPointF>& b) {  // NaN included, and without QPointF's tolerance
    return a.size() == b.size() && (a.isEmpty() || std::memcmp(a.constData(), b.constData(),
                                                               sizeof(QPointF) * static_cast<size_t>(a.size())) == 0);
}

}  // namespace

struct PlotScene::Private {
    struct Layer;
    std::unique_ptr<Layer> crisp;
    std::unique_ptr<Layer> smooth;
};

struct PlotScene::Private::Layer {
    QGraphicsScene scene;
    QChart* chart = new QChart;  // owned by the scene
    QValueAxis* x = new QValueAxis;
    QValueAxis* y = new QValueAxis;
    std::vector<QLineSeries*> series;    // owned by the chart; kept for the next frame
    std::vector<QList<QPointF>> points;  // that each was given last

    Layer();
    void resize(const QSizeF& size);
    void show(size_t index, const PlotLine& line);
    void paint(QPainter& painter, const QRectF& plot, const QList<const PlotLine*>& lines);
};

PlotScene::PlotScene() : d(std::make_unique<Private>()) {
    d->crisp = std::make_unique<Private::Layer>();
    d->smooth = std::make_unique<Private::Layer>();
}

PlotScene::~PlotScene() = default;

PlotScene::Private::Layer::Layer() {
    scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->legend()->hide();
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setMargins(QMargins());
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    for (QValueAxis* axis : {x, y})
        axis->setVisible(false);
    chart->addAxis(x, Qt::AlignBottom);
    chart->addAxis(y, Qt::AlignLeft);
    scene.addItem(chart);
}

void PlotScene::Private::Layer::resize(const QSizeF& size) {
    if (chart->size() == size)
        return;
    chart->resize(size);
    chart->setPlotArea(QRectF(QPointF(), size));
    scene.setSceneRect(QRectF(QPointF(), size));
    x->setRange(0, size.width());
    y->setRange(-size.height(), 0);  // pixels grow downwards, a chart grows upwards
}

void PlotScene::Private::Layer::show(size_t index, const PlotLine& line) {
    if (index == series.size()) {
        auto* fresh = new QLineSeries;
        chart->addSeries(fresh);
        fresh->attachAxis(x);
        fresh->attachAxis(y);
        series.push_back(fresh);
        points.emplace_back();
    }
    QLineSeries* shown = series[index];
    const QPen pen(line.color, line.width, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
    if (shown->pen() != pen)
        shown->setPen(pen);
    // Qt Charts strokes each line anew for the mouse, which costs as much as drawing it: only lines that changed.
    if (!sameBytes(points[index], line.points)) {
        points[index] = line.points;
        QList<QPointF> flipped = line.points;
        for (QPointF& point : flipped)
            point.setY(-point.y());
        shown->replace(flipped);
    }
    if (!shown->isVisible())
        shown->setVisible(true);
}

void PlotScene::Private::Layer::paint(QPainter& painter, const QRectF& plot, const QList<const PlotLine*>& lines) {
    resize(plot.size());
    for (qsizetype i = 0; i < lines.size(); ++i)
        show(static_cast<size_t>(i), *lines[i]);
    for (size_t i = static_cast<size_t>(lines.size()); i < series.size(); ++i)
        if (series[i]->isVisible()) {
            series[i]->setVisible(false);
            series[i]->clear();
            points[i].clear();
        }
    if (!lines.isEmpty())
        scene.render(&painter, plot, QRectF(QPointF(), plot.size()));
}

void PlotScene::paint(QPainter& painter, const QRectF& plot, const QList<PlotLine>& lines, bool antialiased) {
    QList<const PlotLine*> crisp;
    QList<const PlotLine*> smooth;
    for (const PlotLine& line : lines)
        (line.crisp ? crisp : smooth).append(&line);
    painter.save();
    painter.setClipRect(plot.toRect());
    painter.setRenderHint(QPainter::Antialiasing, false);
    d->crisp->paint(painter, plot, crisp);
    painter.setRenderHint(QPainter::Antialiasing, antialiased);
    d->smooth->paint(painter, plot, smooth);
    painter.restore();
}

}  // namespace unmask::ui
