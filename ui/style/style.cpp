// SPDX-License-Identifier: Apache-2.0
#include "ui/style/style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QProxyStyle>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "ui/style/style_sheet.h"
#include "ui/style/system_theme.h"

namespace unmask::ui {
namespace {

// Latin faces that pair well with Noto CJK, best first. The Simplified Chinese face is always named, since a generic
// fallback may pick Japanese glyph shapes.
QStringList bodyFamilies(const QFont& systemFont) {
    const QStringList installed = QFontDatabase::families();
    QStringList families;
    const QString own = QFontInfo(systemFont).family();
    if (!own.startsWith(QLatin1String("DejaVu")) && installed.contains(own))
        families << own;
    for (const char* name : {"Inter", "Ubuntu", "Cantarell", "Noto Sans"})
        if (installed.contains(QLatin1String(name)))
            families << QLatin1String(name);
    families << QStringLiteral("Noto Sans CJK SC") << QStringLiteral("Source Han Sans SC")
             << QStringLiteral("Microsoft YaHei") << QStringLiteral("PingFang SC") << QStringLiteral("DejaVu Sans");
    families.removeDuplicates();
    return families;
}

double roleFactor(FontRole role) {
    switch (role) {
        case FontRole::caption:
            return 0.87;
        case FontRole::heading:
            return 1.08;
        case FontRole::title:
            return 1.5;
        case FontRole::figure:
            return 1.45;
        case FontRole::mono:
            return 0.93;
        case FontRole::body:
            break;
    }
    return 1;
}

// Pictures on buttons, tabs and menus are as large as the letters beside them.
class ScaledPictures final : public QProxyStyle {
 public:
    ScaledPictures() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        switch (metric) {
            case PM_ButtonIconSize:
            case PM_SmallIconSize:
            case PM_TabBarIconSize:
                return Style::instance().px(1.2);
            default:
                return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }
};

}  // namespace

Style& Style::instance() {
    static Style style;
    return style;
}

void Style::install(QApplication& application) {
    if (m_installed)
        return;
    m_installed = true;
    const QFont systemFont = application.font();
    m_families = bodyFamilies(systemFont);
    m_basePixels = std::clamp(static_cast<double>(QFontInfo(systemFont).pixelSize()), 13.0, 22.0);
    auto* system = new SystemTheme(&application);
    m_systemDark = system->dark();
    connect(system, &SystemTheme::changed, this, [this](bool dark) {
        m_systemDark = dark;
        apply();
    });
    QApplication::setStyle(new ScaledPictures);
    apply();
}

void Style::setTheme(ThemeChoice choice) {
    if (choice == m_choice)
        return;
    m_choice = choice;
    apply();
}

void Style::setFontScale(int percent) {
    percent = std::clamp(percent, kSmallestFontScale, kLargestFontScale);
    if (percent == m_fontScale)
        return;
    m_fontScale = percent;
    apply();
}

bool Style::dark() const {
    return m_choice == ThemeChoice::system ? m_systemDark : m_choice == ThemeChoice::dark;
}

const Colors& Style::colors() const {
    return dark() ? darkColors() : lightColors();
}

const ChartColors& Style::chartColors() const {
    return dark() ? darkChartColors() : lightChartColors();
}

QFont Style::font(FontRole role) const {
    QFont font;
    QStringList families = m_families;
    if (role == FontRole::mono)
        families = QStringList{QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"),
                               QStringLiteral("Noto Sans Mono CJK SC"), QStringLiteral("monospace")};
    if (!families.isEmpty())
        font.setFamilies(families);
    font.setPixelSize(
        std::max(7, static_cast<int>(std::lround(m_basePixels * m_fontScale / 100.0 * roleFactor(role)))));
    if (role == FontRole::heading || role == FontRole::title || role == FontRole::figure)
        font.setWeight(QFont::DemiBold);
    return font;
}

int Style::px(double ems) const {
    return static_cast<int>(std::lround(ems * m_basePixels * m_fontScale / 100.0));
}

void Style::apply() {
    if (!m_installed)
        return;
    QApplication::setPalette(paletteFor(colors()));
    QApplication::setFont(font(FontRole::body));
    qApp->setStyleSheet(styleSheetFor(colors(), m_basePixels * m_fontScale / 100.0));
    Q_EMIT changed();
}

void setRole(QWidget* widget, const char* role) {
    widget->setProperty("role", QString::fromLatin1(role));
    widget->setAttribute(Qt::WA_StyledBackground);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

int gap() {
    return Style::instance().px(0.6);
}

int wideGap() {
    return Style::instance().px(1.15);
}

}  // namespace unmask::ui
