// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/runs_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <iterator>

#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/run_delegate.h"
#include "ui/pages/run_pane.h"
#include "ui/pages/table_parts.h"
#include "ui/style/style.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/thin_progress.h"

namespace unmask::ui {

namespace {

using Column = RunTableModel::Column;

struct ColumnPlan {
    Column column;
    double ems;
    bool shown;
};
// From left to right: how a run does comes first and is in sight in the smallest window, what it was given follows.
constexpr ColumnPlan kColumns[] = {
    {Column::state, 8, true},    {Column::name, 16, true},        {Column::progress, 9, true},
    {Column::loss, 6, true},     {Column::validation, 7, true},   {Column::sparkline, 8, true},
    {Column::started, 11, true}, {Column::architecture, 9, true}, {Column::parameters, 7, true},
    {Column::data, 10, true},    {Column::rate, 8, true},         {Column::duration, 7, true},
    {Column::tags, 8, true},     {Column::host, 8, false},        {Column::note, 12, false},
};
static_assert(std::size(kColumns) == static_cast<size_t>(Column::count));

}  // namespace

RunsPage::RunsPage(const Services& services, RunActions* actions, QWidget* parent)
    : Page(parent), m_services(services), m_actions(actions), m_proxy(&services.runs) {
    build();
    addShortcuts();
    (new Retranslator(this))->add([this] { retext(); });
    connect(&services.store, &RunStore::statusChanged, this, &RunsPage::onStoreStatus);
    connect(&m_proxy, &QAbstractItemModel::rowsInserted, this, &RunsPage::refreshEmptiness);
    connect(&m_proxy, &QAbstractItemModel::rowsRemoved, this, &RunsPage::refreshEmptiness);
    connect(&services.runs, &QAbstractItemModel::modelReset, this, &RunsPage::refreshEmptiness);
    connect(&services.runs, &QAbstractItemModel::dataChanged, this, &RunsPage::onSelection);
    onStoreStatus(services.store.status());
    refreshEmptiness();
}

void RunsPage::build() {
    m_title = makeLabel(this, "title");
    m_count = makeLabel(this, "caption");
    m_filter = new QLineEdit(this);
    m_filter->setClearButtonEnabled(true);
    m_filter->setObjectName(QStringLiteral("runFilter"));
    m_filterProblem = makeLabel(this, "problemWarning");
    m_filterProblem->hide();
    m_compare = makeButton(this, Icon::compare);
    m_compare->setObjectName(QStringLiteral("compareButton"));
    m_new = makeButton(this, Icon::plus, "primary");
    m_waiting = new ThinProgress(this);
    m_banner = new Banner(this);
    m_empty = new EmptyState(Icon::runs, this);
    m_pane = new RunPane(m_actions, this);
    m_pane->setMinimumWidth(Style::instance().px(19));
    buildTable();

    auto* split = new QSplitter(this);
    split->setChildrenCollapsible(false);
    split->addWidget(m_table);
    split->addWidget(m_pane);
    split->setStretchFactor(0, 1);
    split->setHandleWidth(wideGap());
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(split);
    m_stack->addWidget(m_empty);

    auto* top = new QHBoxLayout;
    top->setSpacing(gap());
    top->addWidget(m_title);
    top->addWidget(m_count, 0, Qt::AlignBottom);
    top->addStretch(1);
    top->addWidget(m_filter, 2);
    top->addWidget(m_compare);
    top->addWidget(m_new);
    QVBoxLayout* column = makePageColumn(this);
    column->addLayout(top);
    column->addWidget(m_filterProblem);
    column->addWidget(m_waiting);
    column->addWidget(m_banner);
    column->addWidget(m_stack, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy.setFilterText(text);
        const QStringList problems = m_proxy.filter().problems();
        m_filterProblem->setText(problems.join(QLatin1Char(' ')));
        m_filterProblem->setVisible(!problems.isEmpty());
        m_services.settings.set(StudioSetting::runFilter, text);
        refreshEmptiness();
    });
    connect(m_compare, &QPushButton::clicked, this, [this] {
        QStringList keys;
        for (const RunRow& row : chosen())
            keys.append(row.key);
        Q_EMIT m_services.navigator.compareRequested(keys);
    });
    const auto toNewRun = [this] { Q_EMIT m_services.navigator.pageRequested(PageId::newRun); };
    connect(m_new, &QPushButton::clicked, this, toNewRun);
    connect(m_empty, &EmptyState::mainRequested, this, toNewRun);
    m_filter->setText(m_services.settings.text(StudioSetting::runFilter));
}

void RunsPage::buildTable() {
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("runTable"));
    prepareTable(m_table);
    m_table->setModel(&m_proxy);
    m_table->setItemDelegate(new RunDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(Column::started), Qt::DescendingOrder);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    restoreColumns();
    connect(m_table, &QTableView::customContextMenuRequested, this, &RunsPage::showMenu);
    connect(m_table, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { m_actions->openLive(m_proxy.row(index)); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::onSelection);
    QHeaderView* header = m_table->horizontalHeader();
    const auto keep = [this, header] { m_services.settings.set(StudioSetting::runColumns, header->saveState()); };
    connect(header, &QHeaderView::sectionResized, this, keep);
    connect(header, &QHeaderView::sectionMoved, this, keep);
    connect(header, &QHeaderView::customContextMenuRequested, this, [this, header, keep](const QPoint& at) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (int column = 0; column < header->count(); ++column) {
            QAction* action = menu->addAction(m_proxy.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
            action->setCheckable(true);
            action->setChecked(!header->isSectionHidden(column));
            action->setEnabled(column != static_cast<int>(Column::name));
            connect(action, &QAction::toggled, this, [header, column, keep](bool shown) {
                header->setSectionHidden(column, !shown);
                keep();
            });
        }
        menu->popup(header->mapToGlobal(at));
    });
}

void RunsPage::restoreColumns() {
    QHeaderView* header = m_table->horizontalHeader();
    int position = 0;
    for (const ColumnPlan& plan : kColumns) {
        const int column = static_cast<int>(plan.column);
        header->moveSection(header->visualIndex(column), position++);
        header->resizeSection(column, Style::instance().px(plan.ems));
        header->setSectionHidden(column, !plan.shown);
    }
    const QByteArray state = m_services.settings.get<QByteArray>(StudioSetting::runColumns);
    if (!state.isEmpty())
        header->restoreState(state);
}

void RunsPage::addShortcuts() {
    const auto on = [this](const QKeySequence& keys, QWidget* where, auto action) {
        auto* shortcut = new QShortcut(keys, where);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    const auto withOne = [this](auto action) {
        return [this, action] {
            const std::vector<RunRow> rows = chosen();
            if (rows.size() == 1)
                action(rows.front());
        };
    };
    on(QKeySequence(Qt::Key_Slash), this, [this] { m_filter->setFocus(); });
    on(QKeySequence(Qt::Key_C), m_table, [this] { m_compare->click(); });
    on(QKeySequence(Qt::Key_Return), m_table, withOne([this](const RunRow& row) { m_actions->openLive(row); }));
    on(QKeySequence(Qt::Key_N), m_table, withOne([this](const RunRow& row) { m_actions->newFrom(row); }));
    on(QKeySequence(Qt::Key_F2), m_table, withOne([this](const RunRow& row) { m_actions->rename(row, window()); }));
    on(QKeySequence(Qt::Key_T), m_table, withOne([this](const RunRow& row) { m_actions->editTags(row, window()); }));
    on(QKeySequence(Qt::Key_Delete), m_table, withOne([this](const RunRow& row) { m_actions->forget(row); }));
}

void RunsPage::retext() {
    m_title->setText(tr("Runs"));
    m_filter->setPlaceholderText(tr("Filter: words, state:failed, tag:zh, loss<3.2"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setToolTip(
        tr("Words are looked for in name, data, tags and note. All conditions must hold; a leading "
           "minus turns one round. Key: /"));
    m_compare->setText(tr("Compare"));
    m_compare->setToolTip(tr("Choose two or more runs with Ctrl or Shift, then press this (C)"));
    m_new->setText(tr("New run"));
    m_table->setAccessibleName(tr("Runs"));
    m_services.runs.retranslate();
    refreshEmptiness();
}

void RunsPage::entered() {
    m_services.store.scanNow();
    m_table->setFocus();
}

void RunsPage::onStoreStatus(const StoreStatus& status) {
    if (status.health == StoreHealth::rebuilding) {
        m_banner->showMessage(BannerKind::info, status.sentence.isEmpty() ? tr("History is being rebuilt from %n run "
                                                                               "folder(s) (%1 done)",
                                                                               nullptr, status.total)
                                                                                .arg(status.done)
                                                                          : status.sentence);
    } else if (!status.sentence.isEmpty()) {
        m_banner->showMessage(status.health == StoreHealth::temporary ? BannerKind::warning : BannerKind::info,
                              status.sentence);
        m_banner->setClosable(true);
    } else {
        m_banner->hide();
    }
    if (status.health == StoreHealth::closed)
        m_waiting->start(tr("Opening the history"));
    else
        m_waiting->finish();
}

void RunsPage::refreshEmptiness() {
    const int all = m_services.runs.rowCount();
    const int shown = m_proxy.rowCount();
    m_count->setText(shown == all ? tr("%n run(s)", nullptr, all) : tr("%1 of %n run(s)", nullptr, all).arg(shown));
    m_count->setVisible(all > 0);
    if (all == 0) {
        m_empty->setTexts(tr("No runs yet. Start with a small model and your own text."), tr("New run"));
        m_stack->setCurrentIndex(1);
    } else {
        m_stack->setCurrentIndex(0);
        if (shown > 0 && !m_table->selectionModel()->hasSelection())
            m_table->selectRow(0);
    }
    onSelection();
}

std::vector<RunRow> RunsPage::chosen() const {
    std::vector<RunRow> rows;
    const QModelIndexList indexes = m_table->selectionModel()->selectedRows();
    for (const QModelIndex& index : indexes)
        rows.push_back(m_proxy.row(index));
    return rows;
}

void RunsPage::onSelection() {
    const std::vector<RunRow> rows = chosen();
    m_compare->setEnabled(rows.size() >= 2);
    if (rows.size() == 1)
        m_pane->show(rows.front());
    else
        m_pane->show(std::nullopt);
}

void RunsPage::showMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_actions->fillMenu(*menu, chosen(), window());
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

}  // namespace unmask::ui
