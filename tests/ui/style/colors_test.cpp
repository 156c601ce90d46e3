// SPDX-License-Identifier: Apache-2.0
// Everything people read is measured: contrast by WCAG 2, colour-blind sight by the matrices of Machado and others
// (2009).
#include "ui/style/colors.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace unmask::ui {
namespace {

constexpr double kText = 4.5;
constexpr double kLine = 3.0;

void checkTheme(const Colors& c) {
    for (const QColor& ground : {c.window, c.surface, c.raised, c.sunken, c.rail, c.accentSoft}) {
        EXPECT_GE(contrast(c.text, ground), kText) << ground.name().toStdString();
        EXPECT_GE(contrast(c.textMuted, ground), kText) << ground.name().toStdString();
    }
    EXPECT_GE(contrast(c.accentText, c.accent), kText);
    EXPECT_GE(contrast(c.accent, c.surface), kText);
    EXPECT_GE(contrast(c.accent, c.accentSoft), kText);
    EXPECT_GE(contrast(c.outline, c.surface), kLine);
    EXPECT_GE(contrast(c.outline, c.sunken), kLine);
    const std::array problems{std::pair{c.success, c.successSoft}, std::pair{c.warning, c.warningSoft},
                              std::pair{c.danger, c.dangerSoft}, std::pair{c.info, c.infoSoft}};
    for (const auto& [ink, soft] : problems) {
        EXPECT_GE(contrast(ink, soft), kText) << ink.name().toStdString();
        EXPECT_GE(contrast(ink, c.surface), kText) << ink.name().toStdString();
        EXPECT_GE(contrast(c.text, soft), kText) << soft.name().toStdString();
        EXPECT_GE(contrast(c.surface, ink), kText) << "filled badge " << ink.name().toStdString();
    }
}

TEST(Colors, TextAndLinesOfTheLightThemeAreReadable) {
    checkTheme(lightColors());
}
TEST(Colors, TextAndLinesOfTheDarkThemeAreReadable) {
    checkTheme(darkColors());
}

TEST(Colors, ContrastOfBlackAndWhiteIs21) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-9);
    EXPECT_NEAR(contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.478, 1e-3);
}

using Linear = std::array<double, 3>;
using Matrix = std::array<Linear, 3>;
constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Linear seen(const QColor& color, const Matrix& sight) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const Linear in{linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
    Linear out{};
    for (size_t row = 0; row < 3; ++row)
        for (size_t column = 0; column < 3; ++column)
            out[row] += sight[row][column] * in[column];
    for (double& value : out)
        value = std::clamp(value, 0.0, 1.0);
    return out;
}

Linear lab(const Linear& c) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const QColor& a, const QColor& b, const Matrix& sight) {
    const Linear left = lab(seen(a, sight));
    const Linear right = lab(seen(b, sight));
    return std::hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]);
}

void checkChart(const ChartColors& c) {
    EXPECT_GE(contrast(c.text, c.background), kText);
    for (const QColor& line : {c.axis, c.cursor, c.bad, c.joint})
        EXPECT_GE(contrast(line, c.background), kLine) << line.name().toStdString();
    for (const QColor& line : c.series)
        EXPECT_GE(contrast(line, c.background), kLine) << line.name().toStdString();
    for (const Matrix& sight : {kNormal, kProtan, kDeutan, kTritan})
        for (size_t i = 0; i < c.series.size(); ++i)
            for (size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(c.series[i], c.series[j], sight), 20) << i << " and " << j;
}

TEST(Colors, ChartLinesOfTheLightThemeDifferForEveryKindOfSight) {
    checkChart(lightChartColors());
}
TEST(Colors, ChartLinesOfTheDarkThemeDifferForEveryKindOfSight) {
    checkChart(darkChartColors());
}

TEST(Colors, MixingGoesFromOneColourToTheOther) {
    EXPECT_EQ(mix(Qt::black, Qt::white, 0).name(), QStringLiteral("#000000"));
    EXPECT_EQ(mix(Qt::black, Qt::white, 1).name(), QStringLiteral("#ffffff"));
    EXPECT_EQ(mix(Qt::black, Qt::white, 0.5).name(), QStringLiteral("#808080"));
}

}  // namespace
}  // namespace unmask::ui
