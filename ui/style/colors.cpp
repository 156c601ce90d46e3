// SPDX-License-Identifier: Apache-2.0
#include "ui/style/colors.h"

#include <algorithm>
#include <cmath>

namespace unmask::ui {
namespace {

QColor rgb(QRgb value) {
    return QColor::fromRgb(value);
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

Colors makeLight() {
    Colors c;
    c.window = rgb(0xF5F6F8);
    c.surface = rgb(0xFFFFFF);
    c.raised = rgb(0xEEF1F5);
    c.sunken = rgb(0xFBFCFD);
    c.rail = rgb(0xECEFF3);
    c.border = rgb(0xDEE3EA);
    c.outline = rgb(0x858F9D);
    c.text = rgb(0x1A2330);
    c.textMuted = rgb(0x566172);
    c.accent = rgb(0x3355CC);
    c.accentText = rgb(0xFFFFFF);
    c.accentSoft = rgb(0xE8EDFC);
    c.success = rgb(0x12734A);
    c.successSoft = rgb(0xE2F4EA);
    c.warning = rgb(0x8A5300);
    c.warningSoft = rgb(0xFDF1DC);
    c.danger = rgb(0xB3261E);
    c.dangerSoft = rgb(0xFBE9E7);
    c.info = rgb(0x1B5E93);
    c.infoSoft = rgb(0xE4F0FA);
    return c;
}

Colors makeDark() {
    Colors c;
    c.dark = true;
    c.window = rgb(0x13161B);
    c.surface = rgb(0x1B1F26);
    c.raised = rgb(0x252A33);
    c.sunken = rgb(0x15181E);
    c.rail = rgb(0x171A20);
    c.border = rgb(0x2C323C);
    c.outline = rgb(0x737E8E);
    c.text = rgb(0xE7EBF1);
    c.textMuted = rgb(0x9DA8B7);
    c.accent = rgb(0x8AA5FF);
    c.accentText = rgb(0x0D1430);
    c.accentSoft = rgb(0x262F4D);
    c.success = rgb(0x5CCB96);
    c.successSoft = rgb(0x17332A);
    c.warning = rgb(0xE9B355);
    c.warningSoft = rgb(0x382C17);
    c.danger = rgb(0xFF8A80);
    c.dangerSoft = rgb(0x3F2222);
    c.info = rgb(0x7CBDF0);
    c.infoSoft = rgb(0x1A2F41);
    return c;
}

// The series colours were searched for the largest smallest distance (CIE Lab, at least 21) between any two of them in
// normal sight and with protanopia, deuteranopia and tritanopia, each at least 3.15 : 1 on the background.
ChartColors makeLightChart() {
    ChartColors c;
    c.background = rgb(0xFFFFFF);
    c.grid = rgb(0xE9ECF1);
    c.axis = rgb(0x8A94A3);
    c.text = rgb(0x566172);
    c.cursor = rgb(0x39445A);
    c.joint = rgb(0x7A8494);
    c.band = rgb(0xFBE3B0);
    c.bad = rgb(0xB3261E);
    c.series = {rgb(0x0337BE), rgb(0xCB7F16), rgb(0x1F8759), rgb(0xAD71B7),
                rgb(0x6D3400), rgb(0x6C87FF), rgb(0x57237C), rgb(0x373D4D)};
    return c;
}

ChartColors makeDarkChart() {
    ChartColors c;
    c.background = rgb(0x1B1F26);
    c.grid = rgb(0x2A303A);
    c.axis = rgb(0x727D8D);
    c.text = rgb(0x9DA8B7);
    c.cursor = rgb(0xC6CFDB);
    c.joint = rgb(0x808B9B);
    c.band = rgb(0x4A3C1C);
    c.bad = rgb(0xFF8A80);
    c.series = {rgb(0x87AAFF), rgb(0xD46B47), rgb(0x007B6E), rgb(0x815CA3),
                rgb(0xE3C54A), rgb(0x5AD5D6), rgb(0x8363FA), rgb(0xB7D7A8)};
    return c;
}

}  // namespace

const Colors& lightColors() {
    static const Colors colors = makeLight();
    return colors;
}

const Colors& darkColors() {
    static const Colors colors = makeDark();
    return colors;
}

const ChartColors& lightChartColors() {
    static const ChartColors colors = makeLightChart();
    return colors;
}

const ChartColors& darkChartColors() {
    static const ChartColors colors = makeDarkChart();
    return colors;
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mix(const QColor& under, const QColor& over, double share) {
    const auto blend = [share](float u, float o) { return static_cast<float>(u + (o - u) * share); };
    return QColor::fromRgbF(blend(under.redF(), over.redF()), blend(under.greenF(), over.greenF()),
                            blend(under.blueF(), over.blueF()));
}

}  // namespace unmask::ui
