// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/layout_scene.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/style/numbers.h"

namespace unmask::ui {

namespace {

struct LayoutWords {
    Q_DECLARE_TR_FUNCTIONS(LayoutWords)
};

QString number(qint64 value) {
    return QLocale().toString(value);
}

}  // namespace

LayoutPlace LayoutScene::placeOf(qint64 rank) const {
    LayoutPlace place;
    place.slice = rank % slices;
    place.part = rank / slices % parts;
    place.copy = rank / (slices * parts) % copies;
    place.stage = rank / (slices * parts * copies);
    return place;
}

const LayoutStage* LayoutScene::holdingOf(qint64 rank) const {
    const qint64 stage = placeOf(rank).stage;
    return rank < ranks() && stage < holdings.size() ? &holdings[stage] : nullptr;
}

MemoryParts LayoutScene::memoryOf(qint64 device) const {
    const LayoutStage* holding = holdingOf(device);
    MemoryParts all = holding ? holding->memory : MemoryParts{};
    if (device < memory.size()) {
        all.capacity = memory[device].capacity;
        all.others = memory[device].others;
    }
    return all;
}

DeviceUse useOf(const LayoutScene& scene, qint64 device) {
    if (device >= scene.devices())
        return DeviceUse::missing;
    return device < scene.ranks() ? DeviceUse::rank : DeviceUse::idle;
}

QString layerRanges(const QVector<int>& layers) {
    QStringList ranges;
    for (qsizetype i = 0; i < layers.size();) {
        qsizetype end = i;
        while (end + 1 < layers.size() && layers[end + 1] == layers[end] + 1)
            ++end;
        ranges << (end == i ? number(layers[i] + 1)
                            : QStringLiteral("%1–%2").arg(number(layers[i] + 1), number(layers[end] + 1)));
        i = end + 1;
    }
    return ranges.join(QStringLiteral(", "));
}

QString placeWords(const LayoutScene& scene, qint64 rank) {
    const LayoutPlace place = scene.placeOf(rank);
    QStringList words;
    if (scene.copies > 1)
        words << LayoutWords::tr("copy %1").arg(number(place.copy + 1));
    if (scene.stages > 1)
        words << LayoutWords::tr("stage %1").arg(number(place.stage + 1));
    if (scene.slices > 1)
        words << LayoutWords::tr("slice %1").arg(number(place.slice + 1));
    if (scene.parts > 1)
        words << LayoutWords::tr("row part %1").arg(number(place.part + 1));
    return words.isEmpty() ? LayoutWords::tr("whole model") : words.join(QStringLiteral(" · "));
}

QStringList deviceSentences(const LayoutScene& scene, qint64 device) {
    QStringList all;
    const DeviceUse use = useOf(scene, device);
    if (use == DeviceUse::missing)
        return {LayoutWords::tr("Rank %1 has no device.").arg(number(device))};
    const QString node = number(device / scene.perNode + 1);
    const QString inNode = number(device % scene.perNode + 1);
    if (use == DeviceUse::idle)
        return {LayoutWords::tr("Node %1, device %2 stays idle.").arg(node, inNode)};
    all << (scene.nodes > 1 ? LayoutWords::tr("Rank %1 on node %2, device %3.").arg(number(device), node, inNode)
                            : LayoutWords::tr("Rank %1 on device %2.").arg(number(device), inNode));
    const LayoutPlace place = scene.placeOf(device);
    const auto of = [&all](const QString& sentence, qint64 index, qint64 size) {
        if (size > 1)
            all << sentence.arg(number(index + 1), number(size));
    };
    of(LayoutWords::tr("Copy %1 of %2 of the model."), place.copy, scene.copies);
    of(LayoutWords::tr("Stage %1 of %2 of the pipeline."), place.stage, scene.stages);
    of(LayoutWords::tr("Slice %1 of %2 of each layer."), place.slice, scene.slices);
    of(LayoutWords::tr("Part %1 of %2 of each row of tokens."), place.part, scene.parts);
    if (const LayoutStage* holding = scene.holdingOf(device)) {
        if (holding->layers.size() == scene.layers)
            all << LayoutWords::tr("Holds all %n layer(s).", nullptr, scene.layers);
        else if (!holding->layers.isEmpty())
            all << LayoutWords::tr("Holds layers %1.").arg(layerRanges(holding->layers));
        const MemoryParts memory = scene.memoryOf(device);
        if (memory.needed() > 0 && memory.capacity > 0)
            all << LayoutWords::tr("Needs %1 of %2.")
                       .arg(numbers::memory(memory.needed()), numbers::memory(memory.capacity));
        else if (memory.needed() > 0)
            all << LayoutWords::tr("Needs %1.").arg(numbers::memory(memory.needed()));
    }
    return all;
}

}  // namespace unmask::ui
