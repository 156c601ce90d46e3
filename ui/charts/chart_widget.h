// SPDX-License-Identifier: Apache-2.0
// One chart. Pages hand over all points; what is drawn is decimated to pixels, at most ten times a second, and only
// while the chart is visible. Qt Charts stays behind this interface.
//
// Mouse: drag zooms a box, double-click resets, Alt+wheel zooms, Shift-, Alt- or middle-drag pans, hover reads values.
// Keys: arrows move the cursor, Ctrl+arrows pan, + and - zoom, 0 resets, L log axis, M maximises (through the panel).
#pragma once

#include <QWidget>
#include <memory>

#include "ui/charts/chart_types.h"
#include "ui/charts/series_buffer.h"

namespace unmask::ui {

class ChartGroup;

enum class TooltipOrder { added, ascending, descending, nearest };

struct ChartOptions {
    XAxis xAxis = XAxis::step;
    Smoothing smoothing;
    YRange yRange = YRange::percentile5;
    bool logarithmic = false;
    bool showRaw = true;  // faint behind the smoothed line
    TooltipOrder tooltipOrder = TooltipOrder::added;
    bool operator==(const ChartOptions&) const = default;
};

class ChartWidget final : public QWidget {
    Q_OBJECT
 public:
    explicit ChartWidget(QWidget* parent = nullptr);
    ~ChartWidget() override;

    void setTitle(const QString& title, const QString& unit = {});
    QString title() const;

    void addSeries(const QString& id, const SeriesLook& look);  // again with the same id: changes the look only
    void removeSeries(const QString& id);
    void clearSeries();
    void setSeriesVisible(const QString& id, bool visible);
    QStringList seriesIds() const;
    const SeriesBuffer* buffer(const QString& id) const;  // null when unknown

    void setData(const QString& id, const PointBatch& all);  // replaces what was there
    void appendBatch(const QString& id, const PointBatch& fresh);
    void resumeFrom(const QString& id, double step);

    const ChartOptions& options() const;
    void setOptions(const ChartOptions& options);
    void setXAxis(XAxis axis);
    void setSmoothing(const Smoothing& smoothing);
    void setLog(bool logarithmic);
    void setYRange(YRange range);
    void setEvidence(const std::vector<EvidenceWindow>& windows);
    void setFrozen(bool frozen);  // drawing stops, data still arrives

    void setGroup(ChartGroup* group);         // shares cursor and x zoom; null leaves it
    void syncCursorWith(ChartWidget* other);  // joins its group, made when there is none
    void setCursorAt(double x);               // NaN hides it
    void setCursorAtStep(double step);
    void zoomTo(double from, double to);  // in units of the x axis
    void resetZoom();

    QString textSummary() const;  // "loss 2.913, falling, 8,420 points"
    bool exportPicture(const QString& file, const QSize& size, double scale, bool dark, QString* error) const;
    bool exportCsv(const QString& file, bool onlyView, QString* error) const;

    void renderNow();  // what the next frame would do; for pictures and measurements
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

 Q_SIGNALS:
    void cursorMoved(double x);  // NaN when it left
    void viewChanged();          // zoomed or panned
    void optionsChanged();       // by a key or a menu
    void maximiseRequested();

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

 private:
    friend class ChartClock;  // draws what is dirty
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace unmask::ui
