// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_scene.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QPainter>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>
#include <vector>

namespace unmask::ui {

struct PlotScene::Private {
    QGraphicsScene scene;
    QChart* chart = new QChart;  // owned by the scene
    QValueAxis* x = new QValueAxis;
    QValueAxis* y = new QValueAxis;
    std::vector<QLineSeries*> series;  // owned by the chart; kept for the next frame

    void resize(const QSizeF& size);
    void show(size_t index, const PlotLine& line);
};

PlotScene::PlotScene() : d(std::make_unique<Private>()) {
    d->scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    d->chart->setAnimationOptions(QChart::NoAnimation);
    d->chart->legend()->hide();
    d->chart->setBackgroundVisible(false);
    d->chart->setPlotAreaBackgroundVisible(false);
    d->chart->setMargins(QMargins());
    d->chart->layout()->setContentsMargins(0, 0, 0, 0);
    for (QValueAxis* axis : {d->x, d->y})
        axis->setVisible(false);
    d->chart->addAxis(d->x, Qt::AlignBottom);
    d->chart->addAxis(d->y, Qt::AlignLeft);
    d->scene.addItem(d->chart);
}

PlotScene::~PlotScene() = default;

void PlotScene::Private::resize(const QSizeF& size) {
    if (chart->size() == size)
        return;
    chart->resize(size);
    chart->setPlotArea(QRectF(QPointF(), size));
    scene.setSceneRect(QRectF(QPointF(), size));
    x->setRange(0, size.width());
    y->setRange(-size.height(), 0);  // pixels grow downwards, a chart grows upwards
}

void PlotScene::Private::show(size_t index, const PlotLine& line) {
    if (index == series.size()) {
        auto* fresh = new QLineSeries;
        chart->addSeries(fresh);
        fresh->attachAxis(x);
        fresh->attachAxis(y);
        series.push_back(fresh);
    }
    QLineSeries* shown = series[index];
    const QPen pen(line.color, line.width, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
    if (shown->pen() != pen)
        shown->setPen(pen);
    QList<QPointF> flipped = line.points;
    for (QPointF& point : flipped)
        point.setY(-point.y());
    shown->replace(flipped);
    if (!shown->isVisible())
        shown->setVisible(true);
}

void PlotScene::paint(QPainter& painter, const QRectF& plot, const QList<PlotLine>& lines, bool antialiased) {
    d->resize(plot.size());
    for (qsizetype i = 0; i < lines.size(); ++i)
        d->show(static_cast<size_t>(i), lines[i]);
    for (size_t i = static_cast<size_t>(lines.size()); i < d->series.size(); ++i)
        if (d->series[i]->isVisible()) {
            d->series[i]->setVisible(false);
            d->series[i]->clear();
        }
    painter.save();
    painter.setClipRect(plot.toRect());
    painter.setRenderHint(QPainter::Antialiasing, antialiased);
    d->scene.render(&painter, plot, QRectF(QPointF(), plot.size()));
    painter.restore();
}

}  // namespace unmask::ui
