// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/chart_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <cmath>

#include "ui/charts/chart_grid.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/style.h"
#include "ui/widgets/segmented_control.h"

namespace unmask::ui {

namespace {

constexpr int kLargestSmoothing = 99;  // hundredths, as TensorBoard's slider

QStringList axisWords() {
    return {QStringLiteral("step"), QStringLiteral("tokens"), QStringLiteral("elapsed"), QStringLiteral("wall")};
}

}  // namespace

ChartBar::ChartBar(ChartGrid* grid, Settings& settings, QWidget* parent)
    : QWidget(parent),
      m_grid(grid),
      m_settings(settings),
      m_axisLabel(makeLabel(this, "caption")),
      m_axis(new SegmentedControl(this)),
      m_smoothLabel(makeLabel(this, "caption")),
      m_smooth(new QSlider(Qt::Horizontal, this)),
      m_smoothValue(makeLabel(this, "caption")) {
    m_smooth->setRange(0, kLargestSmoothing);
    m_smooth->setObjectName(QStringLiteral("smoothingSlider"));
    m_axis->setObjectName(QStringLiteral("axisControl"));
    m_smooth->setFixedWidth(Style::instance().px(10));
    m_smoothLabel->setBuddy(m_smooth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gap());
    row->addWidget(m_axisLabel);
    row->addWidget(m_axis);
    row->addStretch(1);
    row->addWidget(m_smoothLabel);
    row->addWidget(m_smooth);
    row->addWidget(m_smoothValue);
    (new Retranslator(this))->add([this] { retext(); });

    const int axis = static_cast<int>(std::max<qsizetype>(0, axisWords().indexOf(settings.text(StudioSetting::xAxis))));
    m_axis->setCurrent(axis);
    applyAxis(axis);
    const int smoothing = static_cast<int>(std::lround(settings.get<double>(StudioSetting::smoothing) * 100));
    m_smooth->setValue(std::min(smoothing, kLargestSmoothing));
    applySmoothing(m_smooth->value());
    connect(m_axis, &SegmentedControl::currentChanged, this, [this](int index) {
        applyAxis(index);
        m_settings.set(StudioSetting::xAxis, axisWords().value(index));
    });
    connect(m_smooth, &QSlider::valueChanged, this, [this](int hundredths) {
        applySmoothing(hundredths);
        m_settings.set(StudioSetting::smoothing, hundredths / 100.0);
    });
}

void ChartBar::retext() {
    m_axisLabel->setText(tr("Along"));
    m_axis->setTexts({tr("Steps"), tr("Tokens"), tr("Time trained"), tr("Clock")},
                     {tr("Finished updates"), tr("Tokens read so far"), tr("Time without pauses"), tr("Time of day")});
    m_smoothLabel->setText(tr("Smoothing"));
    m_smooth->setToolTip(tr("Debiased moving average, the same as in TensorBoard; 0 shows the raw values"));
    m_smooth->setAccessibleName(tr("Smoothing"));
}

void ChartBar::nextAxis() {
    m_axis->next();
}

void ChartBar::changeSmoothing(double by) {
    m_smooth->setValue(m_smooth->value() + static_cast<int>(std::lround(by * 100)));
}

void ChartBar::applyAxis(int index) {
    m_grid->setXAxis(static_cast<XAxis>(index));
}

void ChartBar::applySmoothing(int hundredths) {
    m_smoothValue->setText(QLocale().toString(hundredths / 100.0, 'f', 2));
    m_grid->setSmoothing({hundredths == 0 ? SmoothingKind::none : SmoothingKind::exponential, hundredths / 100.0});
}

}  // namespace unmask::ui
