// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_header.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLocale>
#include <QProgressBar>
#include <cmath>

#include "engine/base/clock.h"
#include "engine/protocol/metric_names.h"
#include "ui/models/run_words.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/step_pace.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/state_badge.h"

namespace unmask::ui {

namespace {

QString metricName(std::string_view name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

numbers::Maybe known(double value, const SeriesColumns& series) {
    if (series.size() == 0)
        return {};
    return value;
}

}  // namespace

LiveHeader::LiveHeader(RunSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_nameRow(new QHBoxLayout),
      m_name(new ElidedLabel(this)),
      m_state(new StateBadge(this)),
      m_where(new ElidedLabel(this)),
      m_bar(new QProgressBar(this)),
      m_step(new StatTile({}, this)),
      m_loss(new StatTile({}, this)),
      m_validation(new StatTile({}, this)),
      m_tokens(new StatTile({}, this)),
      m_rate(new StatTile({}, this)),
      m_left(new StatTile({}, this)),
      m_checkpoint(new StatTile({}, this)) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    connect(session, &RunSession::loaded, this, [this] {
        m_checkpointStep = -1;
        onEvents(0, static_cast<int>(m_session->events().size()));
        refresh();
    });
    connect(session, &RunSession::eventsReplaced, this, [this] {
        m_checkpointStep = -1;
        onEvents(0, static_cast<int>(m_session->events().size()));
    });
    connect(session, &RunSession::eventsAdded, this, &LiveHeader::onEvents);
    connect(session, &RunSession::seriesExtended, this, &LiveHeader::refresh);
    connect(session, &RunSession::seriesReplaced, this, &LiveHeader::refresh);
    connect(session, &RunSession::statusChanged, this, &LiveHeader::refresh);
    connect(session, &RunSession::linkChanged, this, &LiveHeader::refresh);
    connect(&m_second, &QTimer::timeout, this, &LiveHeader::refreshCheckpoint);
    m_second.start(1000);
}

void LiveHeader::build() {
    m_name->setObjectName(QStringLiteral("liveName"));
    m_where->setObjectName(QStringLiteral("liveWhere"));
    m_step->setObjectName(QStringLiteral("stepTile"));
    m_loss->setObjectName(QStringLiteral("lossTile"));
    m_left->setObjectName(QStringLiteral("leftTile"));
    setRole(m_name, "title");
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);  // the state stands right behind it
    setRole(m_where, "caption");
    auto* words = new QHBoxLayout;
    words->setSpacing(gap());
    words->addWidget(m_name);
    words->addWidget(m_state);
    words->addWidget(m_where, 1);
    m_nameRow->setSpacing(gap());
    m_nameRow->addLayout(words, 1);
    m_nameRow->setAlignment(words, Qt::AlignTop);
    auto* figures = new QHBoxLayout;
    figures->setSpacing(wideGap());
    for (StatTile* tile : {m_step, m_loss, m_validation, m_rate, m_tokens, m_left, m_checkpoint})
        figures->addWidget(tile, 1);
    m_bar->setTextVisible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap());
    column->addLayout(m_nameRow);
    column->addLayout(figures);
    column->addWidget(m_bar);
}

void LiveHeader::addToNameRow(QWidget* widget) {
    m_nameRow->addWidget(widget, 0, Qt::AlignTop);
}

void LiveHeader::retext() {
    m_step->setCaption(tr("Step"));
    m_loss->setCaption(tr("Loss"));
    m_validation->setCaption(tr("Validation loss"));
    m_rate->setCaption(tr("Speed"));
    m_tokens->setCaption(tr("Tokens"));
    m_left->setCaption(tr("Time left"));
    m_checkpoint->setCaption(tr("Last checkpoint"));
    m_bar->setAccessibleName(tr("Progress of the run"));
    refresh();
}

void LiveHeader::refresh() {
    const RunRow& row = m_session->row();
    const RunStatus& status = m_session->status();
    m_name->setText(row.name.isEmpty() ? row.id : row.name);
    m_state->setState(QString::fromUtf8(runWordName(status.word)));
    const LinkStatus link = m_session->linkStatus();
    const QString linkWord =
        link.word == LinkWord::idle || link.word == LinkWord::ended ? QString() : RunWords::link(link.word);
    QStringList where;
    for (const QString& part :
         {RunWords::phase(QString::fromUtf8(status.phase)), row.host, RunWords::device(row.device), linkWord})
        if (!part.isEmpty())
            where.append(part);
    if (!status.alive() && !where.isEmpty() && !status.phase.empty())
        where.removeFirst();
    m_where->setText(where.join(QStringLiteral("  ·  ")));

    const SeriesSet& series = m_session->series();
    const auto last = [&series](std::string_view name) {
        return known(series.lastValue(name), series.columns(metricName(name)));
    };
    const auto step = static_cast<double>(status.step);
    m_step->setValue(status.totalSteps > 0
                         ? tr("%1 / %2").arg(QLocale().toString(status.step), QLocale().toString(status.totalSteps))
                         : QLocale().toString(status.step));
    const double share = status.totalSteps > 0 ? step / static_cast<double>(status.totalSteps) : 0;
    m_step->setDetail(status.totalSteps > 0 ? numbers::percent(share) : QString());
    m_bar->setRange(0, 1000);
    m_bar->setValue(static_cast<int>(std::lround(share * 1000)));

    m_loss->setValue(numbers::loss(last(metric::kTrainLoss)));
    const SeriesColumns& validation = series.columns(metricName(metric::kValidationLoss));
    m_validation->setValue(numbers::loss(last(metric::kValidationLoss)));
    m_validation->setDetail(validation.size()
                                ? tr("step %1").arg(QLocale().toString(static_cast<qint64>(validation.step.back())))
                                : QString());
    m_rate->setValue(numbers::tokenRate(last(metric::kTokensPerSecond)));
    const SeriesColumns& loss = series.columns(metricName(metric::kTrainLoss));
    const numbers::Maybe tokens = loss.size() ? numbers::Maybe(loss.tokens.back()) : numbers::Maybe();
    m_tokens->setValue(numbers::count(tokens), numbers::exact(tokens));
    refreshTime();
    refreshCheckpoint();
    const QString stale = staleSince();
    for (StatTile* tile : {m_loss, m_validation, m_rate, m_left})
        tile->setStale(stale);
}

void LiveHeader::refreshTime() {
    const RunStatus& status = m_session->status();
    const SeriesColumns& loss = m_session->series().columns(metricName(metric::kTrainLoss));
    const bool going = status.word == RunWord::running || status.word == RunWord::stalled;
    if (!going) {
        m_left->setCaption(tr("Time trained"));
        m_left->setValue(loss.size() ? numbers::duration(loss.elapsed.back()) : QString());
        m_left->setDetail({});
        return;
    }
    m_left->setCaption(tr("Time left"));
    const auto left = secondsLeft(loss, status.step, status.totalSteps);
    if (!left) {
        m_left->setValue(tr("Estimating…"));
        m_left->setDetail({});
        return;
    }
    m_left->setValue(numbers::duration(*left));
    m_left->setDetail(
        tr("done at %1")
            .arg(numbers::timeOfDay(static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000.0 + *left)));
}

void LiveHeader::onEvents(int first, int count) {
    for (int i = first; i < first + count; ++i) {
        const EventRecord& record = m_session->events()[static_cast<size_t>(i)];
        const auto* checkpoint = std::get_if<CheckpointEvent>(&record.event);
        if (!checkpoint || checkpoint->action != "saved")
            continue;
        m_checkpointStep = record.step;
        m_checkpointMs = parseUtcNanoseconds(record.time) / 1'000'000;
    }
    refreshCheckpoint();
}

void LiveHeader::refreshCheckpoint() {
    if (m_checkpointStep < 0) {
        m_checkpoint->setValue({});
        m_checkpoint->setDetail(m_session->status().alive() ? tr("none yet") : QString());
        return;
    }
    m_checkpoint->setValue(tr("step %1").arg(QLocale().toString(m_checkpointStep)));
    const double age = static_cast<double>(QDateTime::currentMSecsSinceEpoch() - m_checkpointMs) / 1000.0;
    m_checkpoint->setDetail(tr("%1 ago").arg(numbers::duration(std::max(0.0, age))));
}

QString LiveHeader::staleSince() const {
    const LinkWord link = m_session->linkStatus().word;
    const SeriesColumns& loss = m_session->series().columns(metricName(metric::kTrainLoss));
    const bool cut = link == LinkWord::reconnecting || m_session->status().word == RunWord::stalled;
    if (!cut || loss.size() == 0)
        return {};
    return tr("as of %1").arg(numbers::timeOfDay(loss.wall.back()));
}

}  // namespace unmask::ui
