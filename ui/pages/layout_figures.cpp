// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_figures.h"

#include <QLocale>
#include <QVBoxLayout>

#include "ui/pages/layout_words.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/stat_tile.h"

namespace unmask::ui {

LayoutFiguresPane::LayoutFiguresPane(QWidget* parent)
    : QWidget(parent),
      m_time(new StatTile({}, this)),
      m_bubble(new StatTile({}, this)),
      m_traffic(new StatTile({}, this)),
      m_memory(new StatTile({}, this)),
      m_timeTitle(makeLabel(this, "caption")),
      m_timeBar(new StackedBar(this)),
      m_memoryTitle(makeLabel(this, "caption")),
      m_memoryBar(new MemoryBar(this)),
      m_trafficTitle(makeLabel(this, "caption")),
      m_trafficBar(new StackedBar(this)) {
    m_time->setObjectName(QStringLiteral("layoutTime"));
    m_bubble->setObjectName(QStringLiteral("layoutBubble"));
    m_traffic->setObjectName(QStringLiteral("layoutTraffic"));
    m_memory->setObjectName(QStringLiteral("layoutMemory"));
    auto* tiles = new QWidget(this);
    auto* flow = new FlowLayout(tiles, wideGap());
    for (StatTile* tile : {m_time, m_bubble, m_traffic, m_memory})
        flow->addWidget(tile);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap());
    column->addWidget(tiles);
    column->addWidget(m_memoryTitle);
    column->addWidget(m_memoryBar);
    column->addWidget(m_timeTitle);
    column->addWidget(m_timeBar);
    column->addWidget(m_trafficTitle);
    column->addWidget(m_trafficBar);
    (new Retranslator(this))->add([this] { refresh(); });
    connect(&Style::instance(), &Style::changed, this, &LayoutFiguresPane::refresh);  // colours of the bars
}

void LayoutFiguresPane::show(const LayoutPlan& plan) {
    m_plan = plan;
    refresh();
}

void LayoutFiguresPane::clear() {
    m_plan.reset();
    refresh();
}

void LayoutFiguresPane::refresh() {
    const bool known = m_plan && !m_plan->stages.empty();
    setVisible(known);
    if (!known)
        return;
    const bool projected = m_plan->projection;
    const auto captioned = [projected](StatTile* tile, const QString& caption) {
        tile->setCaption(projected ? tr("%1 (projection)").arg(caption) : caption);
    };
    captioned(m_time, tr("Time a step"));
    captioned(m_bubble, tr("Waiting for stages"));
    captioned(m_traffic, tr("Sent by a device, a step"));
    captioned(m_memory, tr("Fullest device"));
    const auto most = static_cast<double>(m_plan->mostBytes());
    m_memory->setValue(numbers::memory(most));
    const QString capacity = numbers::memory(m_plan->capacityBytes);
    m_memory->setDetail(m_plan->capacityBytes <= 0 ? QString()
                        : projected                ? tr("of %1").arg(capacity)
                                                   : tr("of %1 that are free").arg(capacity));
    m_memoryTitle->setText(projected ? tr("Memory of the fullest device (projection)")
                                     : tr("Memory of the fullest device (estimate)"));
    m_memoryBar->setParts(memoryParts(m_plan->fullest()->bytes, m_plan->capacityBytes));
    const bool timed = m_plan->time.has_value();
    m_time->setValue(timed ? secondsWords(m_plan->time->total()) : QString());
    m_time->setDetail(timed ? tr("%n micro-batch(es) a rank", nullptr, static_cast<int>(m_plan->microBatches))
                            : tr("the speed of these devices is unknown"));
    m_bubble->setValue(timed ? numbers::percent(m_plan->time->bubbleShare()) : QString());
    m_traffic->setValue(timed ? numbers::memory(m_plan->time->traffic.total()) : QString());
    const bool talks = timed && m_plan->time->traffic.total() > 0;
    m_bubble->setVisible(timed && m_plan->parallel.pipelineStages > 1);
    m_traffic->setVisible(talks);
    for (QWidget* one : std::initializer_list<QWidget*>{m_timeTitle, m_timeBar})
        one->setVisible(timed);
    for (QWidget* one : std::initializer_list<QWidget*>{m_trafficTitle, m_trafficBar})
        one->setVisible(talks);
    if (!timed)
        return;
    m_timeTitle->setText(projected ? tr("Where the time of a step goes (projection)")
                                   : tr("Where the time of a step goes (estimate)"));
    m_trafficTitle->setText(projected ? tr("What a device sends for a step (projection)")
                                      : tr("What a device sends for a step (estimate)"));
    m_timeBar->setSegments(m_timeTitle->text(), timeSegments(*m_plan->time));
    m_trafficBar->setSegments(m_trafficTitle->text(), trafficSegments(m_plan->time->traffic));
}

}  // namespace unmask::ui
