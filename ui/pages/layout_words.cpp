// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_words.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/protocol/settings.h"
#include "ui/forms/setting_text.h"
#include "ui/style/language.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

struct LayoutFigures {
    Q_DECLARE_TR_FUNCTIONS(LayoutFigures)
};

double asDouble(int64_t value) {
    return static_cast<double>(value);
}

constexpr int64_t kMostDevicesShown = 512;

// What others use now of the devices of this computer; processes on a CPU share its memory evenly.
QVector<DeviceMemory> memoryFound(const LayoutAnswer& answer) {
    QVector<DeviceMemory> all;
    const Hardware& hardware = answer.hardware;
    if (!answer.set->found)
        return all;
    const auto add = [&all](double memory, double free) { all.append({memory, std::max(0.0, memory - free)}); };
    if (answer.set->gpu) {
        for (const GpuDescription& gpu : hardware.gpus) {
            if (!gpu.memoryBytes || !gpu.freeMemoryBytes)
                return {};
            add(*gpu.memoryBytes, *gpu.freeMemoryBytes);
        }
        return all;
    }
    if (!hardware.memoryBytes || !hardware.availableMemoryBytes)
        return all;
    const int64_t ranks = answer.set->ranksOnNode(answer.spec.parallel.worldSize());
    const double share = 1 / asDouble(std::max<int64_t>(1, ranks));
    for (int64_t i = 0; i < std::min(ranks, kMostDevicesShown); ++i)
        add(*hardware.memoryBytes * share, *hardware.availableMemoryBytes * share);
    return all;
}

}  // namespace

QString secondsWords(double seconds) {
    return seconds < 0.995 ? LayoutFigures::tr("%1 ms").arg(numbers::significant(seconds * 1000, 2))
                           : numbers::preciseDuration(seconds);
}

QString sentence(const Sentence& both) {
    return inUiLanguage(both.en, both.zh);
}

QString changeWords(const ParallelConfig& from, const ParallelConfig& to) {
    RunSpec left;
    RunSpec right;
    left.parallel = from;
    right.parallel = to;
    QStringList changes;
    for (const SettingDifference& difference : differences(left, right)) {
        const Setting& setting = settingAt(QString::fromStdString(difference.path));
        changes << LayoutFigures::tr("%1 %2 → %3")
                       .arg(settingLabel(setting), shownValue(setting, difference.left),
                            shownValue(setting, difference.right));
    }
    return changes.join(QStringLiteral(", "));
}

MemoryParts memoryParts(const MemoryBytes& bytes, double capacity) {
    MemoryParts parts;
    parts.weights = asDouble(bytes.weights);
    parts.gradients = asDouble(bytes.gradients);
    parts.optimizer = asDouble(bytes.optimizer);
    parts.activations = asDouble(bytes.activations + bytes.logits);
    parts.buffers = asDouble(bytes.buffers + bytes.overhead);
    parts.communication = asDouble(bytes.communication);
    parts.capacity = capacity;
    return parts;
}

LayoutScene sceneOf(const LayoutAnswer& answer) {
    const MachineSet& set = *answer.set;
    const ParallelConfig& parallel = answer.spec.parallel;
    LayoutScene scene;
    scene.copies = parallel.dataParallelSize;
    scene.slices = parallel.tensorParallelSize;
    scene.stages = parallel.pipelineStages;
    scene.parts = parallel.contextParallelSize;
    scene.nodes = set.nodes;
    scene.perNode = set.gpu ? set.devicesPerNode : set.ranksOnNode(parallel.worldSize());
    scene.layers = static_cast<int>(answer.spec.model.layers);
    for (const StageMemory& stage : answer.plan.stages) {
        LayoutStage holding;
        for (const int64_t layer : stage.layers)
            holding.layers.append(static_cast<int>(layer));
        holding.memory = memoryParts(stage.bytes, answer.plan.capacityBytes);
        scene.holdings.append(holding);
    }
    scene.memory = memoryFound(answer);
    return scene;
}

QVector<StackSegment> timeSegments(const LayoutTime& time) {
    const auto& series = Style::instance().chartColors().series;
    const auto part = [](const QString& name, double taken, const QColor& color, bool hatched = false) {
        return StackSegment{name, {}, secondsWords(taken), taken, color, hatched};
    };
    return {part(LayoutFigures::tr("computing"), time.compute, series[2]),
            part(LayoutFigures::tr("communication that nothing hides"), time.communication, series[1]),
            part(LayoutFigures::tr("bubble"), time.bubble, Style::instance().colors().outline, true),
            part(LayoutFigures::tr("optimizer"), time.update, series[0])};
}

QVector<StackSegment> trafficSegments(const LayoutTraffic& traffic) {
    const auto& series = Style::instance().chartColors().series;
    const auto part = [](const QString& name, double bytes, const QColor& color) {
        return StackSegment{name, {}, numbers::memory(bytes), bytes, color};
    };
    return {part(LayoutFigures::tr("data parallel"), traffic.data, series[0]),
            part(LayoutFigures::tr("tensor parallel"), traffic.tensor, series[1]),
            part(LayoutFigures::tr("pipeline"), traffic.pipeline, series[2]),
            part(LayoutFigures::tr("context parallel"), traffic.context, series[3]),
            part(LayoutFigures::tr("experts"), traffic.expert, series[5])};
}

QString planFigures(const LayoutPlan& plan) {
    QStringList figures;
    if (plan.time)
        figures << LayoutFigures::tr("%1 a step").arg(secondsWords(plan.time->total()));
    const double most = asDouble(plan.mostBytes());
    if (most > 0 && plan.capacityBytes > 0)
        figures << LayoutFigures::tr("fullest device %1 of %2")
                       .arg(numbers::memory(most), numbers::memory(plan.capacityBytes));
    else if (most > 0)
        figures << LayoutFigures::tr("fullest device %1").arg(numbers::memory(most));
    return figures.join(QStringLiteral(" · "));
}

}  // namespace unmask::ui
