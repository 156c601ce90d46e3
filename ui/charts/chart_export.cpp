// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_export.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <cmath>

#include "engine/base/text.h"
#include "ui/charts/chart_frame.h"

namespace unmask::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ChartExport)
};

QByteArray number(double value) {
    return QByteArray::fromStdString(formatNumber(value));
}

QByteArray isoTime(double unixSeconds) {
    if (!std::isfinite(unixSeconds))
        return QByteArrayLiteral("NaN");
    return QDateTime::fromMSecsSinceEpoch(std::llround(unixSeconds * 1000), Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toUtf8();
}

QByteArray quoted(const QString& text) {
    QByteArray bytes = text.toUtf8();
    bytes.replace("\"", "\"\"");
    return '"' + bytes + '"';
}

void writeRows(QByteArray& out, const ChartState& state, const ChartSeries& series, const Range& view, bool onlyView) {
    const SeriesBuffer& buffer = series.buffer;
    const ValueColumn& shown = state.shownValues(series);
    const QByteArray name = quoted(series.look.name);
    for (size_t i = 0; i < buffer.size(); ++i) {
        const double place = buffer.axis(state.options.xAxis).at(i);
        if (onlyView && (place < view.from || place > view.to))
            continue;
        out += name + ',' + number(buffer.axis(XAxis::step).at(i)) + ',' + number(buffer.axis(XAxis::tokens).at(i)) +
               ',' + number(buffer.axis(XAxis::activeTime).at(i)) + ',' + isoTime(buffer.axis(XAxis::wallClock).at(i)) +
               ',' + number(buffer.values().at(i)) + ',' + number(shown.at(i)) + '\n';
    }
}

bool fail(const QString& file, const QString& reason, QString* error) {
    if (error)
        *error = Words::tr("%1 could not be written: %2").arg(file, reason);
    return false;
}

}  // namespace

bool exportChartPicture(const ChartState& state, const QFont& font, const PictureRequest& request, QString* error) {
    QImage image(request.size * request.scale, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return fail(request.file, Words::tr("the picture is too large"), error);
    image.setDevicePixelRatio(request.scale);
    FrameRequest wanted;
    wanted.size = request.size;
    wanted.devicePixelRatio = request.scale;
    wanted.colors = request.dark ? &darkChartColors() : &lightChartColors();
    wanted.font = font;
    wanted.withTitle = true;
    {
        QPainter painter(&image);
        PlotScene scene;
        ChartFrame(state, wanted).paint(painter, scene);
    }
    QSaveFile file(request.file);
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
        return fail(request.file, file.errorString(), error);
    return true;
}

bool exportChartCsv(const ChartState& state, const QString& fileName, bool onlyView, QString* error) {
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly))
        return fail(fileName, file.errorString(), error);
    file.write("series,step,tokens,active_seconds,wall_time,raw,smoothed\n");
    const Range view = state.xRange();
    for (const auto& series : state.series) {
        if (!series->visible)
            continue;
        QByteArray rows;
        writeRows(rows, state, *series, view, onlyView);
        file.write(rows);
    }
    if (!file.commit())
        return fail(fileName, file.errorString(), error);
    return true;
}

}  // namespace unmask::ui
