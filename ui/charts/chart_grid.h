// SPDX-License-Identifier: Apache-2.0
// Charts of one page in a grid that fits the width, with common x axis, smoothing, cursor and zoom. Data is handed over
// by run and metric; the grid finds the charts that draw it. Live shows one run, Compare several in the same charts.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <QWidget>

#include "ui/charts/chart_types.h"

class QGridLayout;

namespace unmask::ui {

class ChartGroup;
class ChartPanel;
class ChartWidget;

class ChartGrid final : public QWidget {
    Q_OBJECT
 public:
    explicit ChartGrid(QWidget* parent = nullptr);

    void setCharts(const QStringList& ids);  // of the registry, in this order; keeps the data
    QStringList charts() const { return m_order; }
    ChartWidget* chart(const QString& id) const;  // null when not shown
    void maximise(const QString& id);             // empty shows all again

    void addRun(const QString& runId, const QString& name);  // the first run alone has no marks; more get colour + mark
    void removeRun(const QString& runId);
    void clearRuns();
    QColor runColor(const QString& runId) const;  // for chips; follows the theme
    LineMark runMark(const QString& runId) const;

    void setData(const QString& runId, const QString& metric, const PointBatch& all);
    void appendBatch(const QString& runId, const QString& metric, const PointBatch& fresh);
    void resumeFrom(const QString& runId, double step);  // every series of the run
    void setEvidence(const std::vector<EvidenceWindow>& windows);

    void setXAxis(XAxis axis);
    void setSmoothing(const Smoothing& smoothing);
    void setFrozen(bool frozen);
    void setCursorAtStep(double step);
    XAxis xAxis() const { return m_axis; }
    Smoothing smoothing() const { return m_smoothing; }

    QSize minimumSizeHint() const override;

    QByteArray saveState() const;  // order, log axes, ranges, x axis, smoothing
    void restoreState(const QByteArray& state);

 Q_SIGNALS:
    void cursorMoved(double x);
    void optionsChanged();
    void exportFailed(const QString& sentence);

 protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

 private:
    struct Run {
        QString name;
        int slot = 0;  // colour and mark
    };
    ChartPanel* panel(const QString& id) const { return m_panels.value(id); }
    ChartPanel* makePanel(const QString& id);
    void place();
    void relook();
    QString seriesFor(ChartPanel* panel, const QString& runId, const QString& metric);
    SeriesLook lookFor(const ChartPanel* panel, const QString& runId, const QString& metric) const;

    QGridLayout* m_layout;
    ChartGroup* m_group;
    QStringList m_order;
    QHash<QString, ChartPanel*> m_panels;
    QHash<QString, Run> m_runs;
    QString m_maximised;
    XAxis m_axis = XAxis::step;
    Smoothing m_smoothing;
    int m_columns = 0;
};

}  // namespace unmask::ui
