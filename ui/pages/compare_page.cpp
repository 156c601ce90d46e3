// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_page.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>

#include "engine/protocol/spec_json.h"
#include "ui/charts/chart_grid.h"
#include "ui/models/run_words.h"
#include "ui/pages/chart_bar.h"
#include "ui/pages/chart_feed.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/table_export.h"
#include "ui/pages/table_parts.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/thin_progress.h"

namespace unmask::ui {

namespace {

constexpr int kRefreshMs = 3000;
constexpr int kMenuRuns = 30;
constexpr int kLargestHeight = 16;  // ems, of the table of results

QString nameOf(const RunRow& row) {
    return row.name.isEmpty() ? row.id : row.name;
}

}  // namespace

ComparePage::ComparePage(const Services& services, RunActions* actions, QWidget* parent)
    : Page(parent), m_services(services), m_actions(actions) {
    build();
    addShortcuts();
    (new Retranslator(this))->add([this] { retext(); });
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &ComparePage::refreshLive);
    m_refresh.start();
    connect(&Style::instance(), &Style::changed, this, &ComparePage::rebuildChips);
}

void ComparePage::build() {
    m_empty = new EmptyState(Icon::compare, this);
    connect(m_empty, &EmptyState::mainRequested, this,
            [this] { Q_EMIT m_services.navigator.pageRequested(PageId::runs); });
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildRuns());
}

QWidget* ComparePage::buildRuns() {
    auto* page = new QWidget(this);
    m_title = makeLabel(page, "title");
    m_add = makeButton(page, Icon::plus);
    m_addMenu = new QMenu(m_add);
    connect(m_add, &QPushButton::clicked, this, [this] {
        fillAddMenu();
        m_addMenu->popup(m_add->mapToGlobal(QPoint(0, m_add->height())));
    });
    m_export = makeButton(page, Icon::exportFile);
    connect(m_export, &QPushButton::clicked, this, &ComparePage::exportTable);
    m_newFrom = makeButton(page, Icon::newRun);
    connect(m_newFrom, &QPushButton::clicked, this, [this] {
        if (m_loaded.contains(m_baseline))
            m_actions->newFrom(m_loaded[m_baseline].row);
    });
    m_chipBox = new QWidget(page);
    m_chips = new FlowLayout(m_chipBox);
    m_waiting = new ThinProgress(page);
    m_charts = new ChartGrid(page);
    m_charts->setObjectName(QStringLiteral("compareCharts"));
    m_charts->setCharts({QStringLiteral("loss"), QStringLiteral("grad_norm"), QStringLiteral("learning_rate"),
                         QStringLiteral("tokens_per_second")});
    m_chartBar = new ChartBar(m_charts, m_services.settings, page);

    auto* top = new QHBoxLayout;
    top->setSpacing(gap());
    top->addWidget(m_title, 1);
    top->addWidget(m_add);
    top->addWidget(m_export);
    top->addWidget(m_newFrom);
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    auto* bodyColumn = new QVBoxLayout(body);
    bodyColumn->setContentsMargins(0, 0, gap(), 0);
    bodyColumn->addWidget(m_charts, 1);
    auto* split = new QSplitter(page);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(wideGap());
    split->addWidget(makeScroll(body));
    split->addWidget(buildTables());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({Style::instance().px(55), Style::instance().px(38)});
    QVBoxLayout* column = makePageColumn(page);
    column->addLayout(top);
    column->addWidget(m_chipBox);
    column->addWidget(m_waiting);
    column->addWidget(m_chartBar);
    column->addWidget(split, 1);
    return page;
}

QWidget* ComparePage::buildTables() {
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap());
    m_resultTable = new QTableView(side);
    prepareTable(m_resultTable);
    m_resultTable->setModel(&m_results);
    m_resultTable->setMaximumHeight(Style::instance().px(kLargestHeight * 1.4));
    m_resultTable->setObjectName(QStringLiteral("resultTable"));
    m_onlyDifferences = new QCheckBox(side);
    m_onlyDifferences->setChecked(true);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, [this](bool only) {
        m_differences.setOnlyDifferences(only);
        refreshTables();
    });
    m_noDifference = makeWrappingLabel(side, "caption");
    m_differenceTable = new QTableView(side);
    prepareTable(m_differenceTable);
    m_differenceTable->setModel(&m_differences);
    m_differenceTable->setObjectName(QStringLiteral("differenceTable"));
    column->addWidget(m_resultTable, 2);
    column->addWidget(m_onlyDifferences);
    column->addWidget(m_noDifference);
    column->addWidget(m_differenceTable, 3);
    return side;
}

void ComparePage::addShortcuts() {
    const auto on = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    on(QKeySequence(Qt::Key_D), [this] { m_onlyDifferences->toggle(); });
    on(QKeySequence(Qt::Key_X), [this] { m_chartBar->nextAxis(); });
    on(QKeySequence(Qt::Key_B), [this] {
        if (!m_keys.isEmpty())
            setBaseline(m_keys[(m_keys.indexOf(m_baseline) + 1) % m_keys.size()]);
    });
    on(QKeySequence(Qt::CTRL | Qt::Key_E), [this] { exportTable(); });
}

void ComparePage::retext() {
    m_empty->setTexts(tr("Choose two or more runs in the list, and their curves and settings stand side by side here."),
                      tr("Choose runs"));
    m_title->setText(tr("Compare"));
    m_add->setText(tr("Add a run"));
    m_export->setText(tr("Export table"));
    m_export->setToolTip(tr("Writes results and settings to a CSV file (Ctrl+E)"));
    m_newFrom->setText(tr("New run from the baseline"));
    m_onlyDifferences->setText(tr("Only settings that differ"));
    m_onlyDifferences->setToolTip(tr("Key: D"));
    m_resultTable->setAccessibleName(tr("Results"));
    m_differenceTable->setAccessibleName(tr("Settings"));
    m_results.retranslate();
    m_differences.setChinese(uiLanguage() == Language::chinese);
    m_differences.retranslate();
    rebuildChips();
    refreshTables();
}

void ComparePage::entered() {
    if (!m_keys.isEmpty())
        return;
    QStringList known;
    for (const QString& key : m_services.settings.get<QStringList>(StudioSetting::comparedRuns))
        if (m_services.runs.find(key))
            known.append(key);
    if (known.size() >= 2)
        compare(known);
}

void ComparePage::compare(const QStringList& keys) {
    m_charts->clearRuns();
    m_loaded.clear();
    m_keys.clear();
    m_baseline.clear();
    for (const QString& key : keys)
        addRun(key);
}

void ComparePage::addRun(const QString& key) {
    if (m_keys.contains(key))
        return;
    const RunRow* row = m_services.runs.find(key);
    m_keys.append(key);
    if (m_baseline.isEmpty())
        m_baseline = key;
    if (row)
        m_loaded[key].row = *row;
    m_charts->addRun(key, row ? nameOf(*row) : key);
    m_stack->setCurrentIndex(1);
    m_services.settings.set(StudioSetting::comparedRuns, m_keys);
    rebuildChips();
    load(key);
}

void ComparePage::removeRun(const QString& key) {
    m_keys.removeOne(key);
    m_loaded.remove(key);
    m_charts->removeRun(key);
    if (m_baseline == key)
        m_baseline = m_keys.value(0);
    m_services.settings.set(StudioSetting::comparedRuns, m_keys);
    m_stack->setCurrentIndex(m_keys.isEmpty() ? 0 : 1);
    rebuildChips();
    refreshTables();
}

void ComparePage::setBaseline(const QString& key) {
    m_baseline = key;
    rebuildChips();
    refreshTables();
}

void ComparePage::load(const QString& key) {
    m_waiting->start(tr("Reading the curves"));
    m_services.store.history(key).then(this, [this, key](const RunHistoryPtr& history) { take(key, *history); });
}

void ComparePage::take(const QString& key, const RunHistory& history) {
    m_waiting->finish();
    if (!m_keys.contains(key))
        return;
    if (!history.found) {
        Q_EMIT m_services.navigator.messageRequested(BannerKind::warning,
                                                     tr("A compared run is no longer in the history."));
        removeRun(key);
        return;
    }
    Loaded& loaded = m_loaded[key];
    loaded.row = history.row;
    loaded.mark = history.mark;
    if (!loaded.spec) {
        const Result<Json> json =
            parseJson(std::string_view(history.specJson.constData(), static_cast<size_t>(history.specJson.size())));
        if (json.ok())
            if (const Result<RunSpec> spec = specFromJson(json.value()); spec.ok())
                loaded.spec = spec.value();
    }
    for (const SeriesColumns& series : history.series)
        m_charts->setData(key, QString::fromUtf8(series.name), pointsOf(series));
    rebuildChips();
    refreshTables();
}

// Runs that train while they are compared grow here too, without haste.
void ComparePage::refreshLive() {
    if (!isVisible())
        return;
    for (const QString& key : std::as_const(m_keys)) {
        const RunRow* row = m_services.runs.find(key);
        if (row && row->mark.seq > m_loaded[key].mark.seq)
            load(key);
    }
}

void ComparePage::rebuildChips() {
    if (!m_chips)
        return;
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    for (const QString& key : std::as_const(m_keys)) {
        auto* chip = new Chip(m_loaded.contains(key) ? nameOf(m_loaded[key].row) : key, m_chipBox);
        chip->setLine(m_charts->runColor(key), m_charts->runMark(key));
        chip->setStarred(key == m_baseline);
        chip->setClosable(true);
        chip->setToolTip(key == m_baseline ? tr("The baseline: the others are measured against it")
                                           : tr("Click to make it the baseline"));
        connect(
            chip, &Chip::clicked, this, [this, key] { setBaseline(key); }, Qt::QueuedConnection);
        connect(
            chip, &Chip::closeRequested, this, [this, key] { removeRun(key); }, Qt::QueuedConnection);
        m_chips->addWidget(chip);
        chip->show();
    }
    m_newFrom->setEnabled(!m_baseline.isEmpty());
}

void ComparePage::refreshTables() {
    std::vector<RunRow> rows;
    std::vector<SettingDifferenceModel::Run> specs;
    int baseline = 0;
    for (const QString& key : std::as_const(m_keys)) {
        if (!m_loaded.contains(key))
            continue;
        const Loaded& loaded = m_loaded[key];
        if (key == m_baseline)
            baseline = static_cast<int>(rows.size());
        rows.push_back(loaded.row);
        if (!loaded.spec)
            continue;
        SettingDifferenceModel::Run run{nameOf(loaded.row), *loaded.spec};
        if (key == m_baseline)
            specs.insert(specs.begin(), std::move(run));
        else
            specs.push_back(std::move(run));
    }
    m_results.setRuns(std::move(rows), baseline);
    m_differences.setRuns(std::move(specs));
    m_noDifference->setText(tr("These runs have the same settings."));
    m_noDifference->setVisible(m_keys.size() > 1 && m_differences.rowCount() == 0);
    for (QTableView* table : {m_resultTable, m_differenceTable}) {
        table->setColumnWidth(0, Style::instance().px(12));
        for (int column = 1; column < table->model()->columnCount(); ++column) {
            table->resizeColumnToContents(column);
            table->setColumnWidth(
                column, std::clamp(table->columnWidth(column), Style::instance().px(8), Style::instance().px(12.5)));
        }
    }
}

void ComparePage::fillAddMenu() {
    m_addMenu->clear();
    int shown = 0;
    for (int i = 0; i < m_services.runs.rowCount() && shown < kMenuRuns; ++i) {
        const RunRow& row = m_services.runs.row(i);
        if (m_keys.contains(row.key))
            continue;
        ++shown;
        m_addMenu->addAction(tr("%1 (%2)").arg(nameOf(row), RunWords::state(row.status.word)), this,
                             [this, key = row.key] { addRun(key); });
    }
    if (shown == 0)
        m_addMenu->addAction(tr("No other runs"))->setEnabled(false);
}

void ComparePage::exportTable() {
    if (m_keys.isEmpty())
        return;
    auto* dialog = new QFileDialog(window(), tr("Export the comparison"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Tables (*.csv)"));
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        writeTablesLater(file, {&m_results, &m_differences}).then(this, [this, file](const QString& problem) {
            Q_EMIT m_services.navigator.messageRequested(problem.isEmpty() ? BannerKind::success : BannerKind::danger,
                                                         problem.isEmpty() ? tr("Saved as %1.").arg(file) : problem);
        });
    });
    dialog->open();
}

}  // namespace unmask::ui
