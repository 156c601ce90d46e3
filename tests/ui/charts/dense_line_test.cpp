// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/dense_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace unmask::ui {
namespace {

using Extremes = std::map<int, std::pair<double, double>>;  // by column: highest and lowest place

Extremes extremesOf(const QList<QPointF>& points, double devicePixelRatio) {
    Extremes all;
    for (const QPointF& point : points) {
        if (std::isnan(point.y()))
            continue;
        const int column = static_cast<int>(std::floor(point.x() * devicePixelRatio));
        const auto [at, fresh] = all.try_emplace(column, point.y(), point.y());
        if (!fresh)
            at->second = {std::min(at->second.first, point.y()), std::max(at->second.second, point.y())};
    }
    return all;
}

QList<QPointF> noise(int columns, int pointsEach, double devicePixelRatio) {
    std::mt19937_64 random(5);
    QList<QPointF> points;
    for (int i = 0; i < columns * pointsEach; ++i)
        points.append(QPointF((i + 0.5) / pointsEach / devicePixelRatio, static_cast<double>(random() % 400)));
    return points;
}

TEST(ColumnEnvelope, KeepsTheExtremesOfEveryColumnInTwoPoints) {
    for (const double ratio : {1.0, 1.5, 2.0}) {
        const QList<QPointF> points = noise(300, 4, ratio);
        const QList<QPointF> line = columnEnvelope(points, ratio);
        EXPECT_LE(line.size(), 600);
        EXPECT_EQ(extremesOf(line, ratio), extremesOf(points, ratio)) << ratio;
    }
}

TEST(ColumnEnvelope, GoesOnFromTheNearerExtreme) {
    const QList<QPointF> line = columnEnvelope({{0.2, 10}, {0.8, 90}, {1.2, 20}, {1.8, 95}, {2.1, 300}, {2.9, 200}}, 1);
    const QList<QPointF> expected{{0.5, 10}, {0.5, 90}, {1.5, 95}, {1.5, 20}, {2.5, 200}, {2.5, 300}};
    EXPECT_EQ(line, expected);
}

TEST(ColumnEnvelope, BreaksAndLonePointsStay) {
    const QList<QPointF> points{{-3, 7}, {0.1, 5}, {0.2, NAN}, {0.4, 9}, {0.6, 1}, {5.3, 4}};
    const QList<QPointF> line = columnEnvelope(points, 1);
    ASSERT_EQ(line.size(), 6);
    EXPECT_EQ(line[0], points[0]);
    EXPECT_EQ(line[1], points[1]);
    EXPECT_TRUE(std::isnan(line[2].y()));
    EXPECT_EQ(line[3], QPointF(0.5, 9));
    EXPECT_EQ(line[4], QPointF(0.5, 1));
    EXPECT_EQ(line[5], points[5]);
    EXPECT_TRUE(columnEnvelope({}, 1).isEmpty());
}

}  // namespace
}  // namespace unmask::ui
