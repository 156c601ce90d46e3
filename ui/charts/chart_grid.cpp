// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_grid.h"

#include <QEvent>
#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "ui/charts/chart_group.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_widget.h"
#include "ui/style/language.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

constexpr int kMostColumns = 3;
const QChar kSeparator(0x1F);  // between run and metric in a series id; neither can contain it

QString seriesId(const QString& runId, const QString& metric) {
    return runId + kSeparator + metric;
}
QString runOf(const QString& id) {
    return id.section(kSeparator, 0, 0);
}
QString metricOf(const QString& id) {
    return id.section(kSeparator, 1);
}

}  // namespace

ChartGrid::ChartGrid(QWidget* parent)
    : QWidget(parent), m_layout(new QGridLayout(this)), m_group(new ChartGroup(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(wideGap());
}

ChartPanel* ChartGrid::makePanel(const QString& id) {
    const ChartInfo* info = findChart(id.toStdString());
    if (!info)
        return nullptr;
    auto* panel = new ChartPanel(*info, this);
    ChartWidget* chart = panel->chart();
    chart->setGroup(m_group);
    chart->setXAxis(m_axis);
    chart->setSmoothing(m_smoothing);
    connect(panel, &ChartPanel::maximiseRequested, this, [this, id] { maximise(m_maximised == id ? QString() : id); });
    connect(panel, &ChartPanel::exportFailed, this, &ChartGrid::exportFailed);
    connect(chart, &ChartWidget::cursorMoved, this, &ChartGrid::cursorMoved);
    connect(chart, &ChartWidget::optionsChanged, this, &ChartGrid::optionsChanged);
    m_panels.insert(id, panel);
    return panel;
}

void ChartGrid::setCharts(const QStringList& ids) {
    m_order.clear();
    for (const QString& id : ids)
        if (!m_order.contains(id) && (panel(id) || makePanel(id)))
            m_order << id;
    place();
}

ChartWidget* ChartGrid::chart(const QString& id) const {
    const ChartPanel* found = panel(id);
    return found && m_order.contains(id) ? found->chart() : nullptr;
}

void ChartGrid::maximise(const QString& id) {
    m_maximised = m_order.contains(id) ? id : QString();
    for (auto it = m_panels.cbegin(); it != m_panels.cend(); ++it)
        it.value()->setMaximised(it.key() == m_maximised);
    place();
}

void ChartGrid::place() {
    while (QLayoutItem* item = m_layout->takeAt(0))
        delete item;
    for (int i = 0; i < kMostColumns; ++i)
        m_layout->setColumnStretch(i, 0);
    const QStringList shown = m_maximised.isEmpty() ? m_order : QStringList{m_maximised};
    const int fit = std::max(1, width() / Style::instance().px(27));
    m_columns = std::clamp(std::min(fit, static_cast<int>(shown.size())), 1, kMostColumns);
    for (int i = 0; i < shown.size(); ++i)
        m_layout->addWidget(panel(shown[i]), i / m_columns, i % m_columns);
    for (int i = 0; i < m_columns; ++i)
        m_layout->setColumnStretch(i, 1);
    for (auto it = m_panels.cbegin(); it != m_panels.cend(); ++it)
        it.value()->setVisible(shown.contains(it.key()));
}

// One column is enough in width; the height is that of the rows of the width it has, or of a usual window before that.
QSize ChartGrid::minimumSizeHint() const {
    const int shown = m_maximised.isEmpty() ? static_cast<int>(m_order.size()) : 1;
    const int columns = isVisible() ? m_columns : kMostColumns;
    const int rows = (shown + columns - 1) / std::max(1, columns);
    return {Style::instance().px(18), rows * Style::instance().px(15) + std::max(0, rows - 1) * wideGap()};
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const qsizetype shown = m_maximised.isEmpty() ? m_order.size() : 1;
    const int fit = std::clamp(std::min(width() / Style::instance().px(27), static_cast<int>(shown)), 1, kMostColumns);
    if (fit != m_columns)
        place();
}

void ChartGrid::addRun(const QString& runId, const QString& name) {
    if (m_runs.contains(runId)) {
        m_runs[runId].name = name;
        relook();
        return;
    }
    int slot = 0;
    while (std::any_of(m_runs.cbegin(), m_runs.cend(), [slot](const Run& run) { return run.slot == slot; }))
        ++slot;
    m_runs.insert(runId, {name, slot});
    relook();
}

void ChartGrid::removeRun(const QString& runId) {
    m_runs.remove(runId);
    for (ChartPanel* one : std::as_const(m_panels))
        for (const QString& id : one->chart()->seriesIds())
            if (runOf(id) == runId)
                one->chart()->removeSeries(id);
    relook();
}

void ChartGrid::clearRuns() {
    m_runs.clear();
    for (ChartPanel* one : std::as_const(m_panels))
        one->chart()->clearSeries();
}

QColor ChartGrid::runColor(const QString& runId) const {
    const int slot = m_runs.value(runId).slot;
    return Style::instance().chartColors().series[static_cast<size_t>(slot % kSeriesColors)];
}

LineMark ChartGrid::runMark(const QString& runId) const {
    return static_cast<LineMark>(1 + m_runs.value(runId).slot % kLineMarks);
}

SeriesLook ChartGrid::lookFor(const ChartPanel* panel, const QString& runId, const QString& metric) const {
    const MetricMatch match = matchMetric(panel->info(), metric.toStdString());
    const int part = static_cast<int>(match.metric - panel->info().metrics.data());
    QString label = inUiLanguage(match.metric->label.en, match.metric->label.zh);
    if (match.device >= 0)
        label = label.arg(match.device);
    SeriesLook look;
    look.smoothed = match.metric->smoothed;
    if (m_runs.size() <= 1) {
        look.name = label;
        look.color = match.device >= 0 ? match.device + part : part;
        return look;
    }
    // Several runs: colour and mark say which run; the metrics of one run differ by width.
    const Run run = m_runs.value(runId);
    look.name = panel->info().metrics.size() > 1 || match.device >= 0 ? tr("%1, %2").arg(run.name, label) : run.name;
    look.color = run.slot;
    look.mark = runMark(runId);
    look.thin = part > 0;
    return look;
}

void ChartGrid::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        relook();  // names of series come from the registry in both languages
    QWidget::changeEvent(event);
}

void ChartGrid::relook() {
    for (ChartPanel* one : std::as_const(m_panels))
        for (const QString& id : one->chart()->seriesIds())
            one->chart()->addSeries(id, lookFor(one, runOf(id), metricOf(id)));
}

QString ChartGrid::seriesFor(ChartPanel* panel, const QString& runId, const QString& metric) {
    if (!matchMetric(panel->info(), metric.toStdString()).metric)
        return {};
    const QString id = seriesId(runId, metric);
    if (!panel->chart()->buffer(id))
        panel->chart()->addSeries(id, lookFor(panel, runId, metric));
    return id;
}

void ChartGrid::setData(const QString& runId, const QString& metric, const PointBatch& all) {
    for (ChartPanel* one : std::as_const(m_panels))
        if (const QString id = seriesFor(one, runId, metric); !id.isEmpty())
            one->chart()->setData(id, all);
}

void ChartGrid::appendBatch(const QString& runId, const QString& metric, const PointBatch& fresh) {
    for (ChartPanel* one : std::as_const(m_panels))
        if (const QString id = seriesFor(one, runId, metric); !id.isEmpty())
            one->chart()->appendBatch(id, fresh);
}

void ChartGrid::resumeFrom(const QString& runId, double step) {
    for (ChartPanel* one : std::as_const(m_panels))
        for (const QString& id : one->chart()->seriesIds())
            if (runOf(id) == runId)
                one->chart()->resumeFrom(id, step);
}

void ChartGrid::setEvidence(const std::vector<EvidenceWindow>& windows) {
    for (ChartPanel* one : std::as_const(m_panels))
        one->chart()->setEvidence(windows);
}

void ChartGrid::setXAxis(XAxis axis) {
    m_axis = axis;
    for (ChartPanel* one : std::as_const(m_panels))
        one->chart()->setXAxis(axis);
}

void ChartGrid::setSmoothing(const Smoothing& smoothing) {
    m_smoothing = smoothing;
    for (ChartPanel* one : std::as_const(m_panels))
        one->chart()->setSmoothing(smoothing);
}

void ChartGrid::setFrozen(bool frozen) {
    for (ChartPanel* one : std::as_const(m_panels))
        one->chart()->setFrozen(frozen);
}

void ChartGrid::setCursorAtStep(double step) {
    for (ChartPanel* one : std::as_const(m_panels))
        one->chart()->setCursorAtStep(step);
}

QByteArray ChartGrid::saveState() const {
    QJsonArray list;
    for (const QString& id : m_order) {
        const ChartOptions& options = panel(id)->chart()->options();
        list.append(QJsonObject{{QStringLiteral("id"), id},
                                {QStringLiteral("log"), options.logarithmic},
                                {QStringLiteral("range"), static_cast<int>(options.yRange)},
                                {QStringLiteral("raw"), options.showRaw},
                                {QStringLiteral("order"), static_cast<int>(options.tooltipOrder)}});
    }
    const QJsonObject state{{QStringLiteral("charts"), list},
                            {QStringLiteral("x"), static_cast<int>(m_axis)},
                            {QStringLiteral("smoothing"), static_cast<int>(m_smoothing.kind)},
                            {QStringLiteral("weight"), m_smoothing.weight}};
    return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void ChartGrid::restoreState(const QByteArray& state) {
    const QJsonObject saved = QJsonDocument::fromJson(state).object();
    const QJsonArray list = saved.value(QStringLiteral("charts")).toArray();
    if (list.isEmpty())
        return;  // nothing saved yet, or by another version
    const auto within = [](const QJsonValue& value, int most) { return std::clamp(value.toInt(), 0, most); };
    QStringList ids;
    for (const QJsonValue& one : list)
        ids << one.toObject().value(QStringLiteral("id")).toString();
    setCharts(ids);
    setXAxis(static_cast<XAxis>(within(saved.value(QStringLiteral("x")), 3)));
    setSmoothing({static_cast<SmoothingKind>(within(saved.value(QStringLiteral("smoothing")), 2)),
                  std::clamp(saved.value(QStringLiteral("weight")).toDouble(0.6), 0.0, 0.999)});
    for (const QJsonValue& one : list) {
        const QJsonObject object = one.toObject();
        ChartPanel* found = panel(object.value(QStringLiteral("id")).toString());
        if (!found)
            continue;
        ChartOptions options = found->chart()->options();
        options.logarithmic = object.value(QStringLiteral("log")).toBool();
        options.yRange = static_cast<YRange>(within(object.value(QStringLiteral("range")), 2));
        options.showRaw = object.value(QStringLiteral("raw")).toBool(true);
        options.tooltipOrder = static_cast<TooltipOrder>(within(object.value(QStringLiteral("order")), 3));
        found->chart()->setOptions(options);
        Q_EMIT found->chart()->optionsChanged();
    }
}

}  // namespace unmask::ui
