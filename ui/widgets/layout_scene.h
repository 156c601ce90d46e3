// SPDX-License-Identifier: Apache-2.0
// What the picture of a layout shows: devices in nodes, the ranks on them, and what each holds. Plain figures; nothing
// is worked out here but which rank is what.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "ui/widgets/memory_bar.h"

namespace unmask::ui {

// Of a rank, each from 0.
struct LayoutPlace {
    qint64 copy = 0;   // data parallel
    qint64 stage = 0;  // pipeline
    qint64 part = 0;   // of the tokens of a row: context parallel
    qint64 slice = 0;  // of each layer: tensor parallel
};

struct LayoutStage {
    QVector<int> layers;  // blocks of the model, ascending from 0
    MemoryParts memory;   // of each rank; all 0 means unknown
};

// What others use of a device that was really found.
struct DeviceMemory {
    double capacity = 0;
    double others = 0;
};

struct LayoutScene {
    qint64 copies = 1, slices = 1, stages = 1, parts = 1;
    qint64 nodes = 1;
    qint64 perNode = 1;             // devices; of a CPU the ranks that share a node
    int layers = 0;                 // blocks of the model
    QVector<LayoutStage> holdings;  // one a stage; empty where the layout is illegal
    QVector<DeviceMemory> memory;   // by device; empty: the capacity of `holdings` says it

    qint64 ranks() const { return copies * slices * stages * parts; }
    qint64 devices() const { return nodes * perNode; }
    LayoutPlace placeOf(qint64 rank) const;  // tensor ranks are neighbours, stages farthest apart, as in the engine
    const LayoutStage* holdingOf(qint64 rank) const;  // null where it is unknown
    MemoryParts memoryOf(qint64 device) const;        // of the rank there
};

enum class DeviceUse { rank, idle, missing };
DeviceUse useOf(const LayoutScene& scene, qint64 device);
QString layerRanges(const QVector<int>& layers);                       // from 0 → "1–6, 13–18"
QString placeWords(const LayoutScene& scene, qint64 rank);             // "copy 2 · stage 1"; "whole model"
QStringList deviceSentences(const LayoutScene& scene, qint64 device);  // all that is known of it

}  // namespace unmask::ui
