// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_page.h"

#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>

#include "ui/charts/chart_grid.h"
#include "ui/models/end_words.h"
#include "ui/models/run_words.h"
#include "ui/pages/chart_bar.h"
#include "ui/pages/chart_feed.h"
#include "ui/pages/live_header.h"
#include "ui/pages/live_tabs.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/run_controls.h"
#include "ui/style/style.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/thin_progress.h"

namespace unmask::ui {

namespace {

constexpr int kMenuRuns = 12;
constexpr int kBannerLogLines = 6;

// A GPU's figures where there is one, else those of the computer; a sensor that says nothing has no chart, nor have
// experts where there are none.
QStringList chartsFor(const SeriesSet& series) {
    const auto has = [&series](const char* name) { return series.columns(QLatin1String(name)).size() > 0; };
    QStringList charts = {QStringLiteral("loss"), QStringLiteral("grad_norm"), QStringLiteral("learning_rate"),
                          QStringLiteral("tokens_per_second")};
    const bool gpu = has("device/0/utilization") || has("device/0/memory_used");
    if (gpu)
        charts += {QStringLiteral("device_utilization"), QStringLiteral("device_memory")};
    else
        charts += {QStringLiteral("host_cpu"), QStringLiteral("host_memory")};
    if (has("device/0/temperature") || has("host/temperature"))
        charts += QStringLiteral("device_temperature");
    if (has("train/largest_expert_share"))
        charts += QStringLiteral("experts");
    if (has("train/balance_loss"))
        charts += QStringLiteral("balance_loss");
    if (has("device/0/power"))
        charts += QStringLiteral("device_power");
    return charts;
}

}  // namespace

LivePage::LivePage(const Services& services, RunActions* actions, QWidget* parent)
    : Page(parent), m_services(services), m_actions(actions), m_session(&services.store, services.engine.program()) {
    build();
    addShortcuts();
    (new Retranslator(this))->add([this] { retext(); });
    connect(&m_session, &RunSession::loaded, this, &LivePage::onLoaded);
    connect(&m_session, &RunSession::statusChanged, this, &LivePage::onState);
    connect(&m_session, &RunSession::linkChanged, this, &LivePage::onState);
    connect(&m_session, &RunSession::failed, this, [this](const QString& sentence) {
        m_opening = false;
        m_waiting->finish();
        Q_EMIT m_services.navigator.messageRequested(BannerKind::danger, sentence);
    });
    connect(&services.navigator, &Navigator::runResumed, this, [this](const QString& key) {
        if (key == m_session.row().key)
            m_session.reattach();
    });
    connect(m_banner, &Banner::firstRequested, this, [this] {
        if (m_bannerResumes)
            m_actions->resume(m_session.row());
        else
            m_session.send(m_unanswered);
    });
    connect(m_banner, &Banner::secondRequested, m_tabs, &LiveTabs::showLog);
    connect(m_controls, &RunControls::unanswered, this, &LivePage::onUnanswered);
    connect(m_tabs, &LiveTabs::stepChosen, m_charts, &ChartGrid::setCursorAtStep);
    connect(m_tabs, &LiveTabs::sampleRequested, m_controls, &RunControls::askForSample);
    connect(m_charts, &ChartGrid::exportFailed, this, [this](const QString& sentence) {
        Q_EMIT m_services.navigator.messageRequested(BannerKind::danger, sentence);
    });
    connect(m_charts, &ChartGrid::optionsChanged, this,
            [this] { m_services.settings.set(StudioSetting::liveLayout, m_charts->saveState()); });
}

void LivePage::build() {
    m_empty = new EmptyState(Icon::live, this);
    connect(m_empty, &EmptyState::mainRequested, this,
            [this] { Q_EMIT m_services.navigator.pageRequested(PageId::newRun); });
    connect(m_empty, &EmptyState::secondRequested, this,
            [this] { Q_EMIT m_services.navigator.pageRequested(PageId::runs); });
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildRun());
}

QWidget* LivePage::buildRun() {
    auto* page = new QWidget(this);
    QVBoxLayout* column = makePageColumn(page);
    m_header = new LiveHeader(&m_session, page);
    m_controls = new RunControls(&m_session, m_actions, page);
    m_runs = makeToolButton(page, Icon::chevronDown);
    m_runs->setPopupMode(QToolButton::InstantPopup);
    m_runMenu = new QMenu(m_runs);
    m_runs->setMenu(m_runMenu);
    connect(m_runMenu, &QMenu::aboutToShow, this, &LivePage::fillRunMenu);
    auto* top = new QHBoxLayout;
    top->setSpacing(wideGap());
    top->addWidget(m_runs, 0, Qt::AlignTop);
    top->addWidget(m_header, 1);
    m_header->addToNameRow(m_controls);

    m_waiting = new ThinProgress(page);
    m_banner = new Banner(page);
    m_charts = new ChartGrid(page);
    m_charts->setCharts({QStringLiteral("loss"), QStringLiteral("grad_norm"), QStringLiteral("learning_rate"),
                         QStringLiteral("tokens_per_second")});
    m_charts->restoreState(m_services.settings.get<QByteArray>(StudioSetting::liveLayout));
    m_charts->setObjectName(QStringLiteral("liveCharts"));
    m_chartBar = new ChartBar(m_charts, m_services.settings, page);
    m_feed = new ChartFeed(&m_session, m_charts, this);
    m_tabs = new LiveTabs(&m_session, page);

    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    auto* bodyColumn = new QVBoxLayout(body);
    bodyColumn->setContentsMargins(0, 0, gap(), 0);
    bodyColumn->addWidget(m_charts, 1);
    auto* split = new QSplitter(Qt::Vertical, page);
    split->setChildrenCollapsible(false);
    split->addWidget(makeScroll(body));
    split->addWidget(m_tabs);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);

    column->addLayout(top);
    column->addWidget(m_waiting);
    column->addWidget(m_banner);
    column->addWidget(m_chartBar);
    column->addWidget(split, 1);
    return page;
}

void LivePage::addShortcuts() {
    const auto on = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    on(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { m_controls->openStopDialog(); });
    on(QKeySequence(Qt::Key_BracketLeft), [this] { m_tabs->stepEvent(-1); });
    on(QKeySequence(Qt::Key_BracketRight), [this] { m_tabs->stepEvent(1); });
    on(QKeySequence(Qt::Key_X), [this] { m_chartBar->nextAxis(); });
    on(QKeySequence(Qt::Key_Plus), [this] { m_chartBar->changeSmoothing(0.05); });
    on(QKeySequence(Qt::Key_Minus), [this] { m_chartBar->changeSmoothing(-0.05); });
    on(QKeySequence(Qt::Key_F6), [this] {
        m_frozen = !m_frozen;
        m_charts->setFrozen(m_frozen);
    });
}

void LivePage::retext() {
    m_empty->setTexts(tr("Here you watch a run: its loss as it falls, its speed, and what it has to say."),
                      tr("Start a new run"), tr("Choose one from the list"));
    m_runs->setToolTip(tr("Another run"));
    m_runs->setAccessibleName(tr("Another run"));
    if (m_session.isOpen())
        tellEnd();
}

void LivePage::openRun(const QString& key) {
    if (m_session.isOpen() && m_session.row().key == key)
        return;
    m_stack->setCurrentIndex(1);
    m_waiting->start(tr("Reading the curves"));
    m_opening = true;
    m_session.open(key);
}

void LivePage::openFolder(const QString& folder) {
    m_stack->setCurrentIndex(1);
    m_waiting->start(tr("Reading the curves"));
    m_opening = true;
    m_session.openFolder(std::filesystem::path(folder.toStdString()));
}

void LivePage::openStopDialog() {
    m_controls->openStopDialog();
}

void LivePage::entered() {
    if (m_session.isOpen() || m_opening)
        return;
    // The newest run that is alive, else the one watched last.
    const QString last = m_services.settings.text(StudioSetting::lastRun);
    QString choice = m_services.runs.find(last) ? last : QString();
    qint64 newest = -1;
    for (int i = 0; i < m_services.runs.rowCount(); ++i) {
        const RunRow& row = m_services.runs.row(i);
        if (row.status.alive() && row.createdMs > newest) {
            newest = row.createdMs;
            choice = row.key;
        }
    }
    if (!choice.isEmpty())
        openRun(choice);
}

void LivePage::fillRunMenu() {
    m_runMenu->clear();
    std::vector<RunRow> rows;
    for (int i = 0; i < m_services.runs.rowCount(); ++i)
        rows.push_back(m_services.runs.row(i));
    std::stable_sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) {
        return std::pair(a.status.alive(), a.createdMs) > std::pair(b.status.alive(), b.createdMs);
    });
    for (size_t i = 0; i < std::min<size_t>(rows.size(), kMenuRuns); ++i) {
        const RunRow& row = rows[i];
        const QString name = row.name.isEmpty() ? row.id : row.name;
        QAction* action = m_runMenu->addAction(tr("%1 (%2)").arg(name, RunWords::state(row.status.word)), this,
                                               [this, key = row.key] { openRun(key); });
        action->setCheckable(true);
        action->setChecked(row.key == m_session.row().key);
    }
    if (rows.empty())
        m_runMenu->addAction(tr("No runs yet"))->setEnabled(false);
}

void LivePage::onLoaded() {
    m_opening = false;
    m_waiting->finish();
    m_banner->hide();
    m_shownWord = RunWord::lost;
    m_services.settings.set(StudioSetting::lastRun, m_session.row().key);
    m_charts->setCharts(chartsFor(m_session.series()));
    onState();
}

void LivePage::onState() {
    const RunWord word = m_session.status().word;
    if (word == m_shownWord)
        return;
    m_shownWord = word;
    tellEnd();
}

// The banner says what a word alone cannot: why the run is not going, and what to do.
void LivePage::tellEnd() {
    m_bannerResumes = true;
    switch (m_session.status().word) {
        case RunWord::interrupted:
        case RunWord::failed:
            m_banner->showMessage(m_session.status().word == RunWord::failed ? BannerKind::danger : BannerKind::warning,
                                  endSentence(), lastLogLines());
            m_banner->setActions(tr("Resume"), tr("Show the log"));
            break;
        case RunWord::stalled:
            m_banner->showMessage(BannerKind::warning, endSentence());
            m_banner->setActions({}, tr("Show the log"));
            break;
        case RunWord::lost:
            m_banner->showMessage(BannerKind::warning, endSentence());
            m_banner->setActions({});
            break;
        default:
            m_banner->hide();
    }
}

QString LivePage::endSentence() const {
    RunRow row = m_session.row();
    row.status = m_session.status();  // newer than the history
    return EndWords::of(row);
}

QString LivePage::lastLogLines() const {
    QStringList lines;
    const std::vector<EventRecord>& events = m_session.events();
    for (auto record = events.rbegin(); record != events.rend() && lines.size() < kBannerLogLines; ++record)
        if (const auto* log = std::get_if<LogEvent>(&record->event))
            lines.prepend(QString::fromUtf8(log->text));
        else if (const auto* warning = std::get_if<WarningEvent>(&record->event))
            lines.prepend(QString::fromUtf8(warning->text));
    return lines.join(QLatin1Char('\n'));
}

void LivePage::onUnanswered(const Command& command) {
    m_unanswered = command;
    m_bannerResumes = false;
    m_banner->showMessage(BannerKind::warning, tr("The run has not answered \"%1\" for 30 seconds. It may be in the "
                                                  "middle of a long step.")
                                                   .arg(RunWords::command(command.kind)));
    m_banner->setActions(tr("Ask again"), tr("Show the log"));
}

}  // namespace unmask::ui
