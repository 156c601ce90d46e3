// SPDX-License-Identifier: Apache-2.0
#include "ui/style/icon_strokes.h"

#include <QHash>
#include <QStringList>

namespace unmask::ui {
namespace {

const char* drawing(Icon which) {
    switch (which) {
        case Icon::runs:
            return "M 8.5 6 L 20 6 M 8.5 12 L 20 12 M 8.5 18 L 20 18 F A 4.5 6 1 A 4.5 12 1 A 4.5 18 1";
        case Icon::newRun:
            return "A 12 12 8.5 M 12 8 L 12 16 M 8 12 L 16 12";
        case Icon::live:
            return "M 3 12 L 7 12 L 9.5 5.5 L 14 18.5 L 16.5 12 L 21 12";
        case Icon::compare:
            return "M 4 4 L 4 20 L 20 20 M 7 7 C 10 15 14 15.5 20 16 M 7 13 C 10 8.5 14 8 20 6.5";
        case Icon::data:
            return "M 4 6 C 4 3 20 3 20 6 C 20 9 4 9 4 6 L 4 18 C 4 21 20 21 20 18 L 20 6 M 4 12 C 4 15 20 15 20 12";
        case Icon::playground:
            return "R 3.5 5 17 14 2.5 M 7 10 L 10 12.5 L 7 15 M 12.5 15 L 16.5 15";
        case Icon::servers:
            return "R 4 4 16 6.5 1.8 R 4 13.5 16 6.5 1.8 M 13 7.25 L 16 7.25 M 13 16.75 L 16 16.75 F A 7.7 7.25 0.6 A "
                   "7.7 16.75 0.6";
        case Icon::settings:
            return "M 4 7 L 11 7 M 17 7 L 20 7 A 14 7 2.4 M 4 17 L 7 17 M 13 17 L 20 17 A 10 17 2.4";
        case Icon::play:
            return "F M 8 5.5 L 18.5 12 L 8 18.5 Z";
        case Icon::pause:
            return "F R 7 5.5 3 13 0.8 R 14 5.5 3 13 0.8";
        case Icon::stop:
            return "F R 6.5 6.5 11 11 1.5";
        case Icon::checkpoint:
            return "M 6 21 L 6 4 M 6 5 L 18 5 L 15 9 L 18 13 L 6 13";
        case Icon::extend:
            return "M 4 12 L 17 12 M 12.5 7.5 L 17 12 L 12.5 16.5 M 20.5 6 L 20.5 18";
        case Icon::resume:
            return "M 5 6 L 5 18 F M 9.5 5.5 L 19.5 12 L 9.5 18.5 Z";
        case Icon::again:
            return "M 19.5 12 C 19.5 22 4.5 22 4.5 12 C 4.5 3.5 15 2 18.6 8 M 19.2 3.6 L 18.8 8.4 L 14 8";
        case Icon::trash:
            return "M 4.5 7 L 19.5 7 M 9.5 7 L 9.5 4.5 L 14.5 4.5 L 14.5 7 M 6.5 7 L 7.3 20 L 16.7 20 L 17.5 7 M 10.3 "
                   "11 L 10.3 16 M 13.7 11 L 13.7 16";
        case Icon::folder:
            return "M 3.5 18.5 L 3.5 6 L 9.5 6 L 11.5 8.5 L 20.5 8.5 L 20.5 18.5 Z";
        case Icon::open:
            return "M 3.5 18.5 L 3.5 6 L 9 6 L 11 8.5 L 19 8.5 L 19 11 M 3.5 18.5 L 6.5 11 L 22 11 L 19 18.5 Z";
        case Icon::save:
            return "M 4.5 4.5 L 16 4.5 L 19.5 8 L 19.5 19.5 L 4.5 19.5 Z M 8 4.5 L 8 9 L 15 9 L 15 4.5 M 8 19.5 L 8 "
                   "13.5 L 16 13.5 L 16 19.5";
        case Icon::exportFile:
            return "M 12 15 L 12 4 M 7.5 8.5 L 12 4 L 16.5 8.5 M 4.5 14 L 4.5 19.5 L 19.5 19.5 L 19.5 14";
        case Icon::picture:
            return "R 3.5 5 17 14 2 A 8.5 10 1.6 M 4.5 17.5 L 10 13 L 13 15.5 L 16 12.5 L 20 16.5";
        case Icon::table:
            return "R 3.5 5 17 14 2 M 3.5 10 L 20.5 10 M 3.5 14.5 L 20.5 14.5 M 10 10 L 10 19";
        case Icon::undo:
            return "M 5 9.5 L 14 9.5 C 22 9.5 22 19 14 19 L 9 19 M 9 5 L 4.5 9.5 L 9 14";
        case Icon::redo:
            return "M 19 9.5 L 10 9.5 C 2 9.5 2 19 10 19 L 15 19 M 15 5 L 19.5 9.5 L 15 14";
        case Icon::search:
            return "A 10.5 10.5 6 M 15 15 L 20 20";
        case Icon::filter:
            return "M 4 5.5 L 20 5.5 L 14 12.5 L 14 19 L 10 17 L 10 12.5 Z";
        case Icon::plus:
            return "M 12 5 L 12 19 M 5 12 L 19 12";
        case Icon::minus:
            return "M 5 12 L 19 12";
        case Icon::close:
            return "M 6.5 6.5 L 17.5 17.5 M 17.5 6.5 L 6.5 17.5";
        case Icon::check:
            return "M 4.5 12.5 L 10 18 L 19.5 7";
        case Icon::warning:
            return "M 12 4 L 21 19.5 L 3 19.5 Z M 12 10 L 12 14 F A 12 16.8 0.5";
        case Icon::error:
            return "A 12 12 8.5 M 9 9 L 15 15 M 15 9 L 9 15";
        case Icon::info:
            return "A 12 12 8.5 M 12 11 L 12 16.5 F A 12 7.8 0.5";
        case Icon::question:
            return "A 12 12 8.5 M 9.3 9.6 C 9.3 6 14.9 6.2 14.8 9.6 C 14.7 11.8 12 11.8 12 14 F A 12 16.8 0.5";
        case Icon::clock:
            return "A 12 12 8.5 M 12 7 L 12 12 L 15.5 14";
        case Icon::menu:
            return "M 4 7 L 20 7 M 4 12 L 20 12 M 4 17 L 20 17";
        case Icon::fit:
            return "M 4 9 L 4 4 L 9 4 M 15 4 L 20 4 L 20 9 M 20 15 L 20 20 L 15 20 M 9 20 L 4 20 L 4 15 M 8 15 L 11 "
                   "10.5 L 13.5 13 L 16 9";
        case Icon::logScale:
            return "M 4 4 L 4 20 L 20 20 M 4 15 L 6.5 15 M 4 8.5 L 6.5 8.5 M 8 6 C 8.5 13.5 12 16 20 16.5";
        case Icon::zoomOut:
            return "A 10.5 10.5 6 M 15 15 L 20 20 M 7.5 10.5 L 13.5 10.5";
        case Icon::maximise:
            return "M 13.5 4.5 L 19.5 4.5 L 19.5 10.5 M 19.5 4.5 L 13.5 10.5 M 10.5 19.5 L 4.5 19.5 L 4.5 13.5 M 4.5 "
                   "19.5 L 10.5 13.5";
        case Icon::restore:
            return "M 20 10 L 14 10 L 14 4 M 14 10 L 20 4 M 4 14 L 10 14 L 10 20 M 10 14 L 4 20";
        case Icon::chevronDown:
            return "M 6 9.5 L 12 15.5 L 18 9.5";
        case Icon::chevronRight:
            return "M 9.5 6 L 15.5 12 L 9.5 18";
        case Icon::more:
            return "F A 5.5 12 1.1 A 12 12 1.1 A 18.5 12 1.1";
        case Icon::star:
            return "F M 12 3.8 L 14.5 9.3 L 20.5 9.9 L 16 13.9 L 17.3 19.8 L 12 16.7 L 6.7 19.8 L 8 13.9 L 3.5 9.9 L "
                   "9.5 9.3 Z";
        case Icon::tag:
            return "M 3.5 4.5 L 11 4.5 L 20.5 13.5 L 13.5 20.5 L 3.5 11.5 Z F A 7.5 8.3 0.9";
        case Icon::copy:
            return "R 8.5 8.5 11.5 11.5 2 M 15.5 8.5 L 15.5 6 C 15.5 4.5 15 4 13.5 4 L 6 4 C 4.5 4 4 4.5 4 6 L 4 13.5 "
                   "C 4 15 4.5 15.5 6 15.5 L 8.5 15.5";
        case Icon::link:
            return "M 10 14 C 12 16 14.5 15.8 16 14.5 L 19 11.5 C 22 7.5 17 2.5 13 5.5 L 11.5 7 M 14 10 C 12 8 9.5 8.2 "
                   "8 9.5 L 5 12.5 C 2 16.5 7 21.5 11 18.5 L 12.5 17";
        case Icon::unlink:
            return "M 16 14.5 L 19 11.5 C 22 7.5 17 2.5 13 5.5 L 11.5 7 M 8 9.5 L 5 12.5 C 2 16.5 7 21.5 11 18.5 L "
                   "12.5 17 M 4 4 L 20 20";
        case Icon::spark:
            return "M 12 3.5 L 13.8 10.2 L 20.5 12 L 13.8 13.8 L 12 20.5 L 10.2 13.8 L 3.5 12 L 10.2 10.2 Z";
    }
    return "";
}

IconShape parse(const char* text) {
    IconShape shape;
    QPainterPath* path = &shape.strokes;
    const QStringList words = QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    qsizetype at = 0;
    const auto number = [&] { return words.value(at++).toDouble(); };
    const auto point = [&] {
        const double x = number();
        return QPointF(x, number());
    };
    while (at < words.size()) {
        const char command = words[at++].at(0).toLatin1();
        if (command == 'F') {
            path = &shape.filled;
        } else if (command == 'M') {
            path->moveTo(point());
        } else if (command == 'L') {
            path->lineTo(point());
        } else if (command == 'C') {
            const QPointF first = point();
            const QPointF second = point();
            path->cubicTo(first, second, point());
        } else if (command == 'A') {
            const QPointF center = point();
            const double radius = number();
            path->addEllipse(center, radius, radius);
        } else if (command == 'R') {
            const QPointF corner = point();
            const QPointF size = point();
            const double radius = number();
            path->addRoundedRect(QRectF(corner, QSizeF(size.x(), size.y())), radius, radius);
        } else {
            path->closeSubpath();
        }
    }
    return shape;
}

}  // namespace

const IconShape& shapeOf(Icon which) {
    static QHash<int, IconShape> cache;
    auto found = cache.find(static_cast<int>(which));
    if (found == cache.end())
        found = cache.insert(static_cast<int>(which), parse(drawing(which)));
    return *found;
}

}  // namespace unmask::ui
