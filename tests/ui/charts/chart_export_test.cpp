// SPDX-License-Identifier: Apache-2.0
// Files that people and programs read.
#include "ui/charts/chart_export.h"

#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/charts/chart_fixture.h"

namespace unmask::ui {
namespace {

TEST_F(ChartWidgetTest, CsvHasEveryPointInMachineForm) {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("Verlust \"a\".csv"));
    m_chart.setSmoothing({SmoothingKind::exponential, 0.6});
    m_chart.setData(kId, points({1.5, NAN, 0.0003, INFINITY}));
    QString error;
    ASSERT_TRUE(m_chart.exportCsv(file, false, &error)) << error.toStdString();
    QFile read(file);
    ASSERT_TRUE(read.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = read.readAll().trimmed().split('\n');
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    ASSERT_EQ(lines.size(), 5);
    EXPECT_EQ(lines[0], "series,step,tokens,active_seconds,wall_time,raw,smoothed");
    EXPECT_TRUE(lines[1].startsWith("\"loss\",1,1000,0.5,2023-11-14T22:13:21.000Z,1.5,")) << lines[1].toStdString();
    EXPECT_TRUE(lines[2].endsWith(",NaN,NaN")) << lines[2].toStdString();
    EXPECT_TRUE(lines[3].contains(",3e-04,")) << lines[3].toStdString();
    EXPECT_TRUE(lines[4].endsWith(",Infinity,Infinity"));
    EXPECT_FALSE(m_chart.exportCsv(QStringLiteral("/nowhere/x.csv"), false, &error));
    EXPECT_TRUE(error.contains(QLatin1String("/nowhere/x.csv")));
}

TEST_F(ChartWidgetTest, PictureHasItsSizeAndItsOwnTheme) {
    QTemporaryDir folder;
    m_chart.setData(kId, points({3, 2, 1}));
    QString error;
    for (const bool dark : {false, true}) {
        const QString file = folder.filePath(QStringLiteral("chart.png"));
        ASSERT_TRUE(m_chart.exportPicture(file, QSize(400, 200), 2, dark, &error)) << error.toStdString();
        const QImage image(file);
        EXPECT_EQ(image.size(), QSize(800, 400));
        EXPECT_EQ(image.pixelColor(2, 398), dark ? darkChartColors().background : lightChartColors().background);
    }
}

TEST_F(ChartWidgetTest, OnlyTheViewIsWrittenWhenAsked) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("view.csv"));
    m_chart.setData(kId, points(std::vector<double>(100, 1.0)));
    m_chart.zoomTo(10, 14.5);
    QString error;
    ASSERT_TRUE(m_chart.exportCsv(file, true, &error)) << error.toStdString();
    QFile read(file);
    ASSERT_TRUE(read.open(QIODevice::ReadOnly));
    EXPECT_EQ(read.readAll().trimmed().split('\n').size(), 1 + 5);
}

}  // namespace
}  // namespace unmask::ui
