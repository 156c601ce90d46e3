// SPDX-License-Identifier: Apache-2.0
// What a layout is expected to take: time a step with its parts, waiting in the pipeline, traffic, memory of the
// fullest device. What is worked out for machines that are not here says so at every figure.
#pragma once

#include <QWidget>

#include "ui/pages/layout_watch.h"

class QLabel;

namespace unmask::ui {

class MemoryBar;
class StackedBar;
class StatTile;

class LayoutFiguresPane final : public QWidget {
    Q_OBJECT
 public:
    explicit LayoutFiguresPane(QWidget* parent = nullptr);

    void show(const LayoutPlan& plan);  // hides itself where nothing is known
    void clear();

 private:
    void refresh();

    StatTile* m_time;
    StatTile* m_bubble;
    StatTile* m_traffic;
    StatTile* m_memory;
    QLabel* m_timeTitle;
    StackedBar* m_timeBar;
    QLabel* m_memoryTitle;
    MemoryBar* m_memoryBar;
    QLabel* m_trafficTitle;
    StackedBar* m_trafficBar;
    std::optional<LayoutPlan> m_plan;
};

}  // namespace unmask::ui
