// SPDX-License-Identifier: Apache-2.0
// Hands the curves of one open run to the charts of a page: all of it once, one series a turn of the event loop so that
// long runs do not hold up the window, and after that only what is new.
#pragma once

#include <QHash>
#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <optional>

#include "ui/charts/chart_grid.h"
#include "ui/models/run_session.h"

namespace unmask::ui {

PointBatch pointsOf(const SeriesColumns& columns, size_t first = 0);

class ChartFeed final : public QObject {
    Q_OBJECT
 public:
    ChartFeed(RunSession* session, ChartGrid* grid, QObject* parent = nullptr);

    void restart();  // the session holds another run, or its points were replaced
    void stop();

 Q_SIGNALS:
    void complete();  // everything the session had is in the charts

 private:
    // One turn: a piece of one series up to a joint, or, without a name, the joint itself.
    struct Turn {
        QString name;
        std::optional<double> joint;  // none: to the end
    };
    struct Given {
        size_t shown = 0;  // points that the charts have
        size_t old = 0;    // of those taken back by a resume
        bool begun = false;
        bool whole = false;
    };
    void plan(const QStringList& names);
    void feedNext();
    void feed(const Turn& turn);
    void give(const QString& name, const PointBatch& points);
    void extend(const QStringList& names);

    RunSession* m_session;
    ChartGrid* m_grid;
    QString m_runId;
    std::deque<Turn> m_turns;
    QHash<QString, Given> m_given;
    QTimer m_timer;
};

}  // namespace unmask::ui
