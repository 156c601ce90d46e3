// SPDX-License-Identifier: Apache-2.0
// A planned layout as the picture and the panes show it: figures of the planner turned into scenes, segments and words.
#pragma once

#include "ui/pages/layout_watch.h"
#include "ui/widgets/layout_scene.h"

namespace unmask::ui {

QString sentence(const Sentence& both);
QString secondsWords(double seconds);  // "85 ms", "3.19 s"
// "Tensor parallel 5 → 4, Data parallel 3 → 2"; empty where they are equal.
QString changeWords(const ParallelConfig& from, const ParallelConfig& to);
MemoryParts memoryParts(const MemoryBytes& bytes, double capacity);
LayoutScene sceneOf(const LayoutAnswer& answer);  // of an answer with machines
QVector<StackSegment> timeSegments(const LayoutTime& time);
QVector<StackSegment> trafficSegments(const LayoutTraffic& traffic);  // a device and update
// "0.85 s a step · fullest device 12.3 GiB of 80.0 GiB"; what is unknown is left out.
QString planFigures(const LayoutPlan& plan);

}  // namespace unmask::ui
