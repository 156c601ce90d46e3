// SPDX-License-Identifier: Apache-2.0
// Above the charts of Live and Compare: what the x axis shows and how much the lines are smoothed. Kept in the
// settings.
#pragma once

#include <QWidget>

#include "ui/charts/chart_types.h"
#include "ui/settings/settings.h"

class QLabel;
class QSlider;
class QHBoxLayout;

namespace unmask::ui {

class ChartGrid;
class SegmentedControl;

class ChartBar final : public QWidget {
    Q_OBJECT
 public:
    ChartBar(ChartGrid* grid, Settings& settings, QWidget* parent = nullptr);

    void nextAxis();
    void changeSmoothing(double by);

 private:
    void retext();
    void applyAxis(int index);
    void applySmoothing(int hundredths);

    ChartGrid* m_grid;
    Settings& m_settings;
    QLabel* m_axisLabel;
    SegmentedControl* m_axis;
    QLabel* m_smoothLabel;
    QSlider* m_smooth;
    QLabel* m_smoothValue;
};

}  // namespace unmask::ui
